import { type Link, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { isSampled, type Metrics, type Span, type SpanOptions, type Tracing, waitAtMost } from '@wp/runtime'
import { parseTraceparent } from '../correlation.ts'
import type { Logger } from '../logger.ts'
import type { OpenTracing, TracingOptions } from './tracing-options.ts'

/** Ended spans that wait for the collector, about 1 KiB each. Further ones are dropped and counted. */
export const maxWaitingSpans = 2_048

/** Time after which a request to the collector is given up, and in which waiting spans are sent at the end. */
const exportTimeoutMs = 5_000
const closeTimeoutMs = 2_000

/** The longest time that an ended span waits for others. */
const batchDelayMs = 2_000

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/**
 * Starts the OpenTelemetry SDK with an exporter of OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/). Nothing
 * is global and no module is patched: several processes of the local fleet share one process, and spans name their
 * parents themselves.
 */
export function startOpenTelemetry(options: TracingOptions & { endpoint: string }): OpenTracing {
  const { service, endpoint, sampleRatio = 0, resource = {}, log, metrics } = options
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const bounded = boundExport(new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }), { log, metrics })
  const processor = new BatchSpanProcessor({
    exporter: bounded.exporter,
    maxQueueSize: maxWaitingSpans,
    maxExportBatchSize: 512,
    scheduledDelayMillis: batchDelayMs,
    exportTimeoutMillis: exportTimeoutMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, ...resource }),
    spanProcessors: [bounded.limit(processor)],
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 256, eventCountLimit: 16, linkCountLimit: 32 },
  })
  const tracer = provider.getTracer('workspace-platform')

  function start(name: string, { kind, attributes, links = [] }: SpanOptions, parent: SpanContext | undefined): Span {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const spanOptions = {
      kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
      attributes: { ...attributes },
      links: links.flatMap(toLink),
    }
    return wrap(tracer.startSpan(name, spanOptions, context))
  }

  const tracing: Tracing = {
    startSpan(name, spanOptions) {
      if (!isSampled(spanOptions.parent)) return undefined
      const parent = spanContextOf(spanOptions.parent)
      return parent === undefined ? undefined : start(name, spanOptions, parent)
    },
    startTrace(name, spanOptions) {
      if (Math.random() >= sampleRatio) return undefined
      return start(name, spanOptions, spanContextOf(spanOptions.parent))
    },
  }
  return {
    tracing,
    async close() {
      await waitAtMost(closeTimeoutMs, provider.shutdown())
    },
  }
}

/** The context of a parent in another process or span, as sampled: that is decided before. */
function spanContextOf(traceparent: string | null | undefined): SpanContext | undefined {
  const parsed = parseTraceparent(traceparent ?? undefined)
  return parsed === undefined
    ? undefined
    : { traceId: parsed.traceId, spanId: parsed.parentId, traceFlags: 1, isRemote: true }
}

function toLink(traceparent: string | null | undefined): Link[] {
  const context = isSampled(traceparent) ? spanContextOf(traceparent) : undefined
  return context === undefined ? [] : [{ context }]
}

function wrap(span: ReturnType<ReturnType<typeof trace.getTracer>['startSpan']>): Span {
  const { traceId, spanId } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    setAttributes: (attributes) => void span.setAttributes(attributes),
    addEvent: (name, atMs) => void span.addEvent(name, atMs),
    end(error) {
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

interface BoundedExport {
  /** Sends batches; reports those that fail. */
  exporter: SpanExporter
  /** Passes ended spans on while fewer than `maxWaitingSpans` wait. */
  limit(processor: BatchSpanProcessor): SpanProcessor
}

/**
 * Wraps an exporter so that spans which do not reach the collector are counted, and reported once when it begins to
 * fail and once when it works again. The batch processor of OpenTelemetry drops them silently.
 */
function boundExport(exporter: SpanExporter, { log, metrics }: { log: Logger; metrics: Metrics }): BoundedExport {
  let waiting = 0
  let isFailing = false
  const drop = (reason: string, count: number) => metrics.count('trace_spans_dropped_total', { reason }, count)
  const report = (error: Error | undefined) => {
    if (isFailing === (error !== undefined)) return
    isFailing = error !== undefined
    if (isFailing)
      log.warn({ event: 'traces.export_failed', err: error }, 'failed to send spans to the collector; they are dropped')
    else log.info({ event: 'traces.export_recovered' }, 'the collector accepts spans again')
  }
  return {
    exporter: {
      export(spans, done) {
        waiting -= spans.length
        exporter.export(spans, (result) => {
          const hasFailed = result.code !== 0 // ExportResultCode.SUCCESS
          if (hasFailed) drop('export_failed', spans.length)
          else metrics.count('trace_spans_exported_total', {}, spans.length)
          report(hasFailed ? (result.error ?? new Error('the collector refused the spans')) : undefined)
          done(result)
        })
      },
      shutdown: () => exporter.shutdown(),
    },
    limit: (processor) => ({
      onStart() {},
      onEnd(span: ReadableSpan) {
        if (waiting >= maxWaitingSpans) return drop('queue_full', 1)
        waiting += 1
        processor.onEnd(span)
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    }),
  }
}
