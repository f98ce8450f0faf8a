import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type EndpointDefinition, type LimitClass, type Problem, problem } from '@wp/contracts'
import { errorCode } from '@wp/runtime'
import { Agent, request as send } from 'undici'

/** A request to the edge. */
export interface ProxyRequest {
  definition: EndpointDefinition
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array> | undefined
  /** Cancels the request and its response. */
  signal: AbortSignal
}

/** The response of the edge. */
export interface ProxyResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

/** Sends requests to the edge. */
export interface ProxyTransport {
  /**
   * @throws Problem `service_unavailable`, `gateway_timeout` or `bad_gateway`; the reason of `signal` if it is aborted
   */
  send(request: ProxyRequest): Promise<ProxyResponse>
  close(): Promise<void>
}

const connectMs = 5_000

/**
 * Longest silence of the edge by class of endpoint. Longer than the edge lets a service be silent by default, because
 * the edge is to end slow requests: this is the net under it.
 */
const silenceMs: Readonly<Record<LimitClass, number>> = {
  default: 60_000,
  metadata: 60_000,
  token: 60_000,
  long: 1_200_000,
  upload: 1_200_000,
}
/** Streams of events have a comment every 15 s. */
const eventsSilenceMs = 180_000

export function createProxyTransport(edgeUrl: string): ProxyTransport {
  const dispatcher = new Agent({ connect: { timeout: connectMs } })
  return {
    async send({ definition, method, target, headers, body, signal }) {
      const { limitClass = 'default', response = 'json' } = definition
      const isStream = response === 'events' || response === 'json-or-events'
      const idleMs = Math.max(silenceMs[limitClass], isStream ? eventsSilenceMs : 0)
      const answer = await send(edgeUrl + target, {
        dispatcher,
        method: method as 'GET', // one of the methods of an endpoint, or HEAD
        headers,
        body: (body ?? null) as Readable | null, // undici takes any async iterable, its type names streams only
        headersTimeout: idleMs,
        bodyTimeout: idleMs,
        signal,
      }).catch((cause: unknown) => {
        signal.throwIfAborted()
        throw toProblem(cause)
      })
      return { status: answer.statusCode, headers: answer.headers, body: answer.body }
    },
    close: () => dispatcher.destroy(),
  }
}

const unreachable: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
const silent: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function toProblem(cause: unknown): Problem {
  const code = errorCode(cause) ?? ''
  if (unreachable.has(code))
    return problem('service_unavailable', { detail: 'The API is unavailable; retry shortly', cause })
  if (silent.has(code)) return problem('gateway_timeout', { detail: 'The API did not respond in time', cause })
  return problem('bad_gateway', { detail: 'The connection to the API broke; retry shortly', cause })
}
