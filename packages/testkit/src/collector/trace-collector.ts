import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as it came to the collector. */
export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  /** Undefined for the first span of a trace. */
  parentId: string | undefined
  name: string
  kind: string
  startMs: number
  endMs: number
  attributes: Readonly<Record<string, string | number | boolean>>
  events: readonly string[]
  links: readonly { traceId: string; spanId: string }[]
  /** True if the span ended with an error. */
  hasFailed: boolean
}

/** A collector of traces on loopback. */
export interface TraceCollector {
  /** What processes are configured with: `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  /** The spans that came so far. */
  readonly spans: readonly CollectedSpan[]
  /** Number of requests that came so far, also of those that were not answered. */
  readonly requests: number
  close(): void
}

interface Value {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number
  boolValue?: boolean
}
interface Attribute {
  key: string
  value: Value
}
interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  events: { name: string }[]
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
}
interface ExportRequest {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']

/**
 * Starts a collector that accepts traces as OTLP over HTTP, in JSON
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
 *
 * @param answer `hang` reads requests and never answers them
 */
export async function startTraceCollector(answer: 'accept' | 'hang' = 'accept'): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const sent = (await json(request)) as ExportRequest // what OTLP defines; a test fails on anything else
    if (answer === 'hang') return
    spans.push(...sent.resourceSpans.flatMap(readSpans))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    get requests() {
      return requests
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function readSpans({ resource, scopeSpans }: ExportRequest['resourceSpans'][number]): CollectedSpan[] {
  const service = String(readAttributes(resource.attributes)['service.name'])
  return scopeSpans.flatMap((scope) =>
    scope.spans.map((span) => ({
      service,
      traceId: span.traceId,
      spanId: span.spanId,
      parentId: span.parentSpanId || undefined,
      name: span.name,
      kind: kinds[span.kind] ?? 'unknown',
      startMs: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
      endMs: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
      attributes: readAttributes(span.attributes),
      events: span.events.map(({ name }) => name),
      links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      hasFailed: span.status.code === 2,
    })),
  )
}

const readAttributes = (attributes: readonly Attribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))

const readValue = ({ stringValue, intValue, doubleValue, boolValue }: Value): string | number | boolean =>
  stringValue ?? boolValue ?? doubleValue ?? Number(intValue)
