import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import {
  close,
  createExchanges,
  createLogger,
  type Exchanges,
  endingOf,
  type Logger,
  open,
  type Running,
  readConfig,
  refuse,
  requestIdOf,
  retire,
} from '@wp/service'
import express from 'express'
import { standingHeaders } from './browser/answer-headers.ts'
import { createCors } from './browser/cors.ts'
import { config as schema } from './config.ts'
import { type Context, createContext } from './context.ts'
import { docsRoutes, isDescription } from './docs/routes.ts'
import { createEdge, pathOf, speaksOAuth } from './edge.ts'
import { createEndpointTable } from './endpoint-table.ts'
import { headLimits } from './forward/config.ts'
import { answerUnreadable, malformationOf, originForm } from './unreadable.ts'

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
): Promise<Running> {
  const config = readConfig(schema, env)
  const log = options.log ?? createLogger('gateway', config.LOG_LEVEL)
  const context = await createContext(config, log, options.ownProcess ?? false)
  let draining = false
  const exchanges = createExchanges()
  const edge = edgeServer(context, exchanges, new Map(Object.entries(options.routes ?? {})))
  const admin = adminServer(context, () => draining)
  const opened = open(edge, config.HOST, config.PORT, { reusePort: config.REUSE_PORT })
  const [port] = await Promise.all([opened, open(admin, config.HOST, config.ADMIN_PORT)]).catch(
    async (error: unknown) => {
      await Promise.all([context.close(), close(edge), close(admin)])
      throw error
    },
  )
  log.info({ port }, 'started')
  return {
    name: 'gateway',
    url: `http://${config.HOST}:${port}`,
    async stop() {
      draining = true
      await retire(edge, exchanges, { ...endingOf(config), atLast: () => context.openStreams.end() })
      await Promise.all([close(admin), context.close()])
      log.info('stopped')
    },
  }
}

/** What the edge itself answers is composed with Express; everything else goes straight through. */
function edgeServer(context: Context, exchanges: Exchanges, further: ReadonlyMap<string, Routes[string]>): Server {
  const { config, log } = context
  const edge = createEdge(context)
  const own = descriptions(context)
  const cors = createCors(config.CORS_ORIGINS)
  const standing = standingHeaders(config.PUBLIC_BASE_URL)
  const table = createEndpointTable()
  const methodsOf = (path: string) => (isDescription(path) ? ['GET', 'HEAD'] : table.methodsOf(path))

  /** What every answer of the edge carries. @returns the request id */
  function stamp(request: IncomingMessage, response: ServerResponse): string {
    const sent = request.headers['x-request-id']
    const requestId = requestIdOf(typeof sent === 'string' ? sent : undefined)
    response.setHeader('x-request-id', requestId)
    for (const [name, value] of standing) response.setHeader(name, value)
    cors.admit(request, response)
    return requestId
  }

  function serve(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (!exchanges.begin(response)) return
    const requestId = stamp(request, response)
    request.url = originForm(request.url ?? '/')
    const oauth = speaksOAuth(pathOf(request))
    const refuseWith = (failure: Problem) =>
      refuse(response, failure, { base: config.PUBLIC_BASE_URL, requestId, log, oauth })
    const malformation = malformationOf(request, config.MAX_HEADERS)
    if (malformation !== undefined) return void refuseWith(malformation)
    if (cors.isPreflight(request)) {
      const refusal = cors.answerPreflight(response, methodsOf(pathOf(request)))
      return void (refusal && refuseWith(refusal))
    }
    const answer = further.get(pathOf(request)) ?? (isDescription(pathOf(request)) ? own : undefined)
    if (answer !== undefined) return void answer(request, response)
    edge(request, response, { requestId, awaitsContinue }).catch((error: unknown) => {
      log.error({ err: error, request_id: requestId }, 'a request could not even be refused')
      response.destroy()
    })
  }

  // a missing host is refused in our shape, too, and what a client expects beside 100-continue nobody has to understand
  const server = createServer({ ...headLimits(config), requireHostHeader: false }, (request, response) =>
    serve(request, response, false),
  )
  server.on('connection', (connection) => exchanges.connected(connection))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  server.on('checkExpectation', (request, response) => serve(request, response, false))
  server.on('clientError', (error, connection) =>
    answerUnreadable(error, connection, exchanges, config.PUBLIC_BASE_URL),
  )
  return server
}

function descriptions({ config, log }: Context) {
  const own = express().disable('x-powered-by').disable('etag').set('query parser', false)
  own.use(docsRoutes(config.PUBLIC_BASE_URL))
  own.use((_request, _response, next) => next(problem('not_found', { detail: 'There is nothing at this path' })))
  own.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    refuse(response, error instanceof URIError ? problem('not_found') : error, {
      base: config.PUBLIC_BASE_URL,
      requestId: String(response.getHeader('x-request-id')),
      log,
    }),
  )
  return own
}

function adminServer({ metrics, identities, peers }: Context, isDraining: () => boolean): Server {
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
