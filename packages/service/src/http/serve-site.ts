import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem } from '@wp/contracts'
import type { Metrics, Tracing } from '@wp/runtime'
import { traceparentOf } from '../telemetry/correlation.ts'
import type { Logger } from '../telemetry/logger.ts'
import { endServerSpan } from '../telemetry/tracing/open-tracing.ts'
import { header } from './header.ts'
import { authenticate } from './request/authorize.ts'
import { sendProblem } from './response/problem-response.ts'
import type { ServeOptions } from './serve-endpoint.ts'

interface SiteOptions extends ServeOptions {
  log: Logger
  metrics: Metrics
  tracing?: Tracing | undefined
}

/** Serves a request by the handler of a site, if the edge signed it. Never rejects: errors become problem responses. */
export async function serveSite(
  handler: SiteHandler,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, ...options }: SiteOptions & { requestId: string },
): Promise<void> {
  const { base, log, metrics, tracing, shutdown } = options
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000
  const sent = header(request, 'traceparent')
  const span = tracing?.startSpan('site', {
    kind: 'server',
    parent: sent,
    attributes: { 'http.request.method': request.method ?? '' },
  })
  // A streamed response is measured until it begins, not for as long as the client reads it.
  let seconds: number | undefined
  onHead(response, () => {
    seconds = elapsedSeconds()
  })
  try {
    const { issuer } = await authenticate(request.headers, options)
    if (issuer !== 'gateway') throw problem('caller_not_allowed', { detail: `${issuer} may not call the site` })
    await handler(request, response, {
      requestId,
      traceparent: span?.traceparent ?? traceparentOf(sent),
      clientAddress: header(request, 'x-forwarded-for'),
      shutdown,
    })
  } catch (thrown) {
    sendProblem(response, thrown, { base, requestId, log })
  }
  const labels = { endpoint: 'site', status: String(response.statusCode) }
  metrics.observe('http_request_seconds', seconds ?? elapsedSeconds(), labels, span?.traceparent)
  endServerSpan(span, response.statusCode)
  log.debug({ event: 'request.served', request_id: requestId, ...labels }, 'request served')
}

/** Calls a listener when the head of a response is written. Node.js writes every head through this method. */
function onHead(response: ServerResponse, listener: () => void): void {
  const writeHead: (...args: never[]) => ServerResponse = response.writeHead
  response.writeHead = (...args: never[]) => {
    listener()
    return writeHead.apply(response, args)
  }
}

/** Facts about a request of a site, from the edge. */
export interface SiteRequestContext {
  requestId: string
  traceparent: string
  /** Address of the client, if the edge knows it. */
  clientAddress: string | undefined
  /** Aborted when the server stops listening: responses that do not end by themselves should end now. */
  shutdown: AbortSignal
}

/**
 * Serves the requests of a service that belong to no endpoint, such as pages and their assets. Only requests that the
 * edge signed reach it. An error it throws becomes a problem response, or cuts a response that has begun.
 */
export type SiteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: SiteRequestContext,
) => void | Promise<void>
