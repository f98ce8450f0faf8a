import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceName } from '@wp/contracts'
import type { Span, Tracing } from '@wp/runtime'
import { endServerSpan, unsampledTraceparentOf } from '@wp/service'

/** The trace of one request at the edge. */
export interface RequestTrace {
  /** Names the span of the request; undefined if it is not traced. */
  traceparent: string | undefined
  /** Starts the span of the forwarded request. @returns the `traceparent` for the service */
  forward(service: ServiceName): string
}

/**
 * Decides whether a request is traced, and starts its span. The trace id of the client is kept, so that its own traces
 * go on; its flags are not, because clients must not decide which requests the platform records.
 */
export function traceRequest(
  tracing: Tracing | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  { id, path }: { id: string; path: string },
): RequestTrace {
  const { traceparent } = request.headers
  const sent = typeof traceparent === 'string' ? traceparent : undefined
  const span = tracing?.startTrace(id, {
    kind: 'server',
    parent: sent,
    attributes: { 'http.request.method': request.method ?? '', 'http.route': path },
  })
  if (tracing === undefined || span === undefined)
    return { traceparent: undefined, forward: () => unsampledTraceparentOf(sent) }
  response.once('close', () => endServerSpan(span, response.statusCode))
  return { traceparent: span.traceparent, forward: (service) => startForwardSpan(tracing, span, service, response) }
}

function startForwardSpan(tracing: Tracing, parent: Span, service: ServiceName, response: ServerResponse): string {
  const span = tracing.startSpan('forward', {
    kind: 'client',
    parent: parent.traceparent,
    attributes: { 'server.address': service },
  })
  response.once('close', () => endServerSpan(span, response.statusCode))
  return span?.traceparent ?? parent.traceparent
}
