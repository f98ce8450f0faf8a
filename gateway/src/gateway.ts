import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import {
  closeServer,
  createInFlightRequests,
  createLogger,
  drainOptionsOf,
  drainServer,
  type InFlightRequests,
  type Logger,
  listenOn,
  type RunningService,
  readConfig,
  requestIdOf,
  sendProblem,
} from '@wp/service'
import express from 'express'
import { createCors } from './browser/cors.ts'
import { securityHeaders } from './browser/response-headers.ts'
import { config as schema } from './config.ts'
import { type Context, createContext } from './context.ts'
import { docsRoutes, isDocsPath } from './docs/routes.ts'
import { createEdge, pathOf, usesOAuthErrors } from './edge.ts'
import { createEndpointTable } from './endpoint-table.ts'
import { serverLimits } from './forward/config.ts'
import { malformedRequestProblem, respondToMalformedRequest, toOriginForm } from './malformed-request.ts'

interface StartOptions {
  ownProcess?: boolean
  log?: Logger
  /** What else is answered here, by its path: for the local fleet. Nothing in the environment leads to it. */
  routes?: Routes
}

type Routes = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>

/**
 * Starts the edge.
 * @throws ConfigError naming every bad variable; an error naming the port when it is taken
 */
export async function startGateway(
  env: Readonly<Record<string, string | undefined>>,
  options: StartOptions = {},
): Promise<RunningService> {
  const config = readConfig(schema, env)
  const log = options.log ?? createLogger('gateway', config.LOG_LEVEL)
  const context = await createContext(config, log, options.ownProcess ?? false)
  let draining = false
  const exchanges = createInFlightRequests()
  const edge = createEdgeServer(context, exchanges, new Map(Object.entries(options.routes ?? {})))
  const admin = createAdminServer(context, () => draining)
  const opened = listenOn(edge, config.HOST, config.PORT, { reusePort: config.REUSE_PORT })
  const [port] = await Promise.all([opened, listenOn(admin, config.HOST, config.ADMIN_PORT)]).catch(
    async (error: unknown) => {
      await Promise.all([context.close(), closeServer(edge), closeServer(admin)])
      throw error
    },
  )
  log.info({ port }, 'started')
  return {
    name: 'gateway',
    url: `http://${config.HOST}:${port}`,
    async stop() {
      draining = true
      await drainServer(edge, exchanges, { ...drainOptionsOf(config), onDrained: () => context.openStreams.end() })
      await Promise.all([closeServer(admin), context.close()])
      log.info('stopped')
    },
  }
}

/** What the edge itself answers is composed with Express; everything else goes straight through. */
function createEdgeServer(
  context: Context,
  exchanges: InFlightRequests,
  extraRoutes: ReadonlyMap<string, Routes[string]>,
): Server {
  const { config, log } = context
  const edge = createEdge(context)
  const own = docsApp(context)
  const cors = createCors(config.CORS_ORIGINS)
  const commonHeaders = securityHeaders(config.PUBLIC_BASE_URL)
  const table = createEndpointTable()
  const methodsOf = (path: string) => (isDocsPath(path) ? ['GET', 'HEAD'] : table.methodsOf(path))

  /** What every answer of the edge carries. @returns the request id */
  function setCommonHeaders(request: IncomingMessage, response: ServerResponse): string {
    const sent = request.headers['x-request-id']
    const requestId = requestIdOf(typeof sent === 'string' ? sent : undefined)
    response.setHeader('x-request-id', requestId)
    for (const [name, value] of commonHeaders) response.setHeader(name, value)
    cors.setCorsHeaders(request, response)
    return requestId
  }

  function serve(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (!exchanges.trackRequest(response)) return
    const requestId = setCommonHeaders(request, response)
    request.url = toOriginForm(request.url ?? '/')
    const oauth = usesOAuthErrors(pathOf(request))
    const refuseWith = (failure: Problem) =>
      sendProblem(response, failure, { base: config.PUBLIC_BASE_URL, requestId, log, oauth })
    const malformation = malformedRequestProblem(request, config.MAX_HEADERS)
    if (malformation !== undefined) return void refuseWith(malformation)
    if (cors.isPreflight(request)) {
      const refusal = cors.respondToPreflight(response, methodsOf(pathOf(request)))
      return void (refusal && refuseWith(refusal))
    }
    const answer = extraRoutes.get(pathOf(request)) ?? (isDocsPath(pathOf(request)) ? own : undefined)
    if (answer !== undefined) return void answer(request, response)
    edge(request, response, { requestId, awaitsContinue }).catch((error: unknown) => {
      log.error({ err: error, request_id: requestId }, 'a request could not even be refused')
      response.destroy()
    })
  }

  // a missing host is refused in our shape, too, and what a client expects beside 100-continue nobody has to understand
  const server = createServer({ ...serverLimits(config), requireHostHeader: false }, (request, response) =>
    serve(request, response, false),
  )
  server.on('connection', (connection) => exchanges.trackConnection(connection))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  server.on('checkExpectation', (request, response) => serve(request, response, false))
  server.on('clientError', (error, connection) =>
    respondToMalformedRequest(error, connection, exchanges, config.PUBLIC_BASE_URL),
  )
  return server
}

function docsApp({ config, log }: Context) {
  const own = express().disable('x-powered-by').disable('etag').set('query parser', false)
  own.use(docsRoutes(config.PUBLIC_BASE_URL))
  own.use((_request, _response, next) => next(problem('not_found', { detail: 'There is nothing at this path' })))
  own.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    sendProblem(response, error instanceof URIError ? problem('not_found') : error, {
      base: config.PUBLIC_BASE_URL,
      requestId: String(response.getHeader('x-request-id')),
      log,
    }),
  )
  return own
}

function createAdminServer(
  { metrics, identityCache: identities, peerCount: peers }: Context,
  isDraining: () => boolean,
): Server {
  const app = express().disable('x-powered-by')
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get(
    '/readyz',
    (_request, response) =>
      void response.status(isDraining() ? 503 : 200).json({ status: isDraining() ? 'draining' : 'ready' }),
  )
  app.get('/metrics', async (_request, response) => {
    metrics.gauge('edge_peers', peers())
    metrics.gauge('edge_cached_identities', identities.size())
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return createServer(app)
}
