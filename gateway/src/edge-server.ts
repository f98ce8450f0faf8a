import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type InFlightRequests, requestIdOf, sendProblem } from '@wp/service'
import { createCors } from './browser/cors.ts'
import { securityHeaders } from './browser/response-headers.ts'
import type { Context } from './context.ts'
import { createDocsApp, isDocsPath } from './docs/routes.ts'
import type { SiteFiles } from './docs/site-files.ts'
import { createEdge, errorFormatOfRequest, pathOf } from './edge.ts'
import { createEndpointTable } from './endpoint-table.ts'
import { serverLimits } from './forward/config.ts'
import { clientAddress } from './identify/client-address.ts'
import { malformedRequestProblem, respondToMalformedRequest, toOriginForm } from './malformed-request.ts'
import { createSiteProxy, findSite } from './site-proxy.ts'

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Handlers by path. */
export type Routes = Readonly<Record<string, RequestHandler>>

/**
 * Creates the public HTTP server. Requests for documentation go to Express, those of sites to their services, all
 * others straight to the edge.
 *
 * @param site the documentation; undefined if it was not built
 */
export function createEdgeServer(
  context: Context,
  inFlight: InFlightRequests,
  extraRoutes: ReadonlyMap<string, RequestHandler>,
  site: SiteFiles | undefined,
): Server {
  const { config } = context
  const serve = createRequestHandler(context, inFlight, extraRoutes, site)
  // without `requireHostHeader` a missing Host is reported as a problem response
  const server = createServer({ ...serverLimits(config), requireHostHeader: false }, (request, response) =>
    serve(request, response, false),
  )
  server.on('connection', (connection) => inFlight.trackConnection(connection))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  // an expectation other than 100-continue may be ignored (RFC 9110 section 10.1.1)
  server.on('checkExpectation', (request, response) => serve(request, response, false))
  server.on('clientError', (error, connection) =>
    respondToMalformedRequest(error, connection, inFlight, config.PUBLIC_BASE_URL),
  )
  return server
}

/** Longer than most functions: its steps share what is created once, and read best in the order of a request. */
function createRequestHandler(
  context: Context,
  inFlight: InFlightRequests,
  extraRoutes: ReadonlyMap<string, RequestHandler>,
  site: SiteFiles | undefined,
) {
  const { config, log } = context
  const edge = createEdge(context)
  const siteProxy = createSiteProxy(context)
  const docs: RequestHandler = createDocsApp(context, site)
  const cors = createCors(config.CORS_ORIGINS)
  const commonHeaders = securityHeaders(config.PUBLIC_BASE_URL)
  const table = createEndpointTable()
  const methodsOf = (path: string) => (isDocsPath(path) ? ['GET', 'HEAD'] : table.methodsOf(path))

  /** Sets the headers of every response. @returns the request id */
  function setCommonHeaders(request: IncomingMessage, response: ServerResponse, isSite: boolean): string {
    const header = request.headers['x-request-id']
    const requestId = requestIdOf(typeof header === 'string' ? header : undefined)
    response.setHeader('x-request-id', requestId)
    for (const [name, value] of commonHeaders) response.setHeader(name, value)
    // pages of other origins can never read a site, which acts with the cookies of its users
    if (!isSite) cors.setCorsHeaders(request, response)
    return requestId
  }

  function serveDocs(request: IncomingMessage, response: ServerResponse, reject: (error: unknown) => void): void {
    try {
      context.openEndpointLimits.admitMetadata(clientAddress(request, config.TRUSTED_PROXIES), response)
      docs(request, response)
    } catch (error) {
      reject(error)
    }
  }

  return (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
    if (!inFlight.trackRequest(response)) return
    request.url = toOriginForm(request.url ?? '/')
    const path = pathOf(request)
    const matched = findSite(path)
    const requestId = setCommonHeaders(request, response, matched !== undefined)
    const reject = (error: unknown) =>
      sendProblem(response, error, {
        base: config.PUBLIC_BASE_URL,
        requestId,
        log,
        format: errorFormatOfRequest(request, path),
      })
    const malformed = malformedRequestProblem(request, config.MAX_HEADERS)
    if (malformed !== undefined) return void reject(malformed)
    const destroy = (err: unknown) => {
      log.error({ event: 'error_response.failed', err, request_id: requestId }, 'failed to send the error response')
      response.destroy()
    }
    if (matched !== undefined)
      return void siteProxy(request, response, { matched, path, requestId, awaitsContinue }).catch(destroy)
    if (cors.isPreflight(request)) {
      const unknownPath = cors.respondToPreflight(response, methodsOf(path))
      return void (unknownPath && reject(unknownPath))
    }
    const extraRoute = extraRoutes.get(path)
    if (extraRoute !== undefined) return void extraRoute(request, response)
    if (isDocsPath(path)) return void serveDocs(request, response, reject)
    edge(request, response, { requestId, awaitsContinue }).catch(destroy)
  }
}
