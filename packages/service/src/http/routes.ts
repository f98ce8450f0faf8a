import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorFormatOf, problem } from '@wp/contracts'
import type { Metrics, Tracing } from '@wp/runtime'
import { Router } from 'express'
import { traceparentOf } from '../telemetry/correlation.ts'
import type { Logger } from '../telemetry/logger.ts'
import { endServerSpan } from '../telemetry/tracing/open-tracing.ts'
import type { BoundEndpoint, BoundSurface } from './bound-surface.ts'
import { header } from './header.ts'
import { sendProblem } from './response/problem-response.ts'
import { sendResponse } from './response/send-response.ts'
import { type ServeOptions, serveEndpoint } from './serve-endpoint.ts'

export interface RouterOptions extends ServeOptions {
  log: Logger
  metrics: Metrics
  tracing?: Tracing | undefined
}

/** Creates the Express router of surfaces. Requests are authorized and validated, and responses built, by contract. */
export function createRouter(surfaces: readonly BoundSurface[], options: RouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const all = surfaces.flatMap((surface) => surface.endpoints)
  const byPath = Map.groupBy(all, ({ definition }) => definition.path)
  for (const [path, endpoints] of [...byPath].sort(([a], [b]) => literalsFirst(a, b))) {
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1')
    router.all(expressPath, (request, response) =>
      serveRequest(endpoints, all, request, response, stringParams(request.params), options),
    )
  }
  return router
}

/** Serves a request of one path by the endpoint of its method. Never rejects: errors become problem responses. */
async function serveRequest(
  endpoints: readonly BoundEndpoint[],
  all: readonly BoundEndpoint[],
  request: IncomingMessage,
  response: ServerResponse & { locals: Record<string, unknown> },
  params: Record<string, string>,
  options: RouterOptions,
): Promise<void> {
  const { base, productName, log, metrics, tracing } = options
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000
  const requestId = String(response.locals.requestId)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = endpoints.find(({ definition }) => definition.method === method)
  const sent = header(request, 'traceparent')
  const span = tracing?.startSpan(endpoint?.definition.id ?? 'none', {
    kind: 'server',
    parent: sent,
    attributes: { 'http.request.method': method ?? '', 'http.route': endpoint?.definition.path ?? '' },
  })
  const traceparent = span?.traceparent ?? traceparentOf(sent)
  // A streamed response is measured until it begins, not for as long as the client reads it.
  let seconds: number | undefined
  try {
    if (endpoint === undefined) throw methodNotAllowed(endpoints)
    const content = await serveEndpoint(endpoint, all, { request, response, params, requestId, traceparent }, options)
    seconds = elapsedSeconds()
    await sendResponse(response, content)
  } catch (thrown) {
    const format = endpoint === undefined ? 'problem' : errorFormatOf(endpoint.definition)
    sendProblem(response, thrown, { base, productName, requestId, log, format })
  }
  const labels = { endpoint: endpoint?.definition.id ?? 'none', status: String(response.statusCode) }
  metrics.observe('http_request_seconds', seconds ?? elapsedSeconds(), labels, span?.traceparent)
  endServerSpan(span, response.statusCode)
  log.debug({ event: 'request.served', request_id: requestId, ...labels }, 'request served')
}

function methodNotAllowed(endpoints: readonly BoundEndpoint[]) {
  const methods = endpoints.map(({ definition }) => definition.method)
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].join(', ')
  return problem('method_not_allowed', { headers: { allow } })
}

/** Orders paths so that a literal segment is tried before a parameter in its place. */
const literalsFirst = (a: string, b: string) =>
  a.replaceAll('{', '\uffff').localeCompare(b.replaceAll('{', '\uffff'), 'en')

/** Every parameter of our paths is one segment, so one string. */
const stringParams = (params: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
