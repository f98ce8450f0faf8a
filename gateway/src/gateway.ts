import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { problem, problemBody } from '@wp/contracts'
import { close, createLogger, type Logger, open, type Running, readConfig, refuse, requestIdOf } from '@wp/service'
import express from 'express'
import { config as schema } from './config.ts'
import { type Context, createContext } from './context.ts'
import { docsRoutes } from './docs/routes.ts'
import { createEdge } from './edge.ts'

interface StartOptions {
  ownProcess?: boolean
  log?: Logger
}

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
  const edge = edgeServer(context, () => draining)
  const admin = adminServer(context, () => draining)
  const opened = open(edge, config.HOST, config.PORT)
  const [port] = await Promise.all([opened, open(admin, config.HOST, config.ADMIN_PORT)]).catch(
    async (error: unknown) => {
      await Promise.all([context.close(), close(edge, 0), close(admin, 0)])
      throw error
    },
  )
  log.info({ port }, 'started')
  return {
    name: 'gateway',
    url: `http://${config.HOST}:${port}`,
    async stop() {
      draining = true
      await close(edge, config.SHUTDOWN_GRACE_SECONDS * 1000)
      await Promise.all([close(admin, 0), context.close()])
      log.info('stopped')
    },
  }
}

/** What the edge itself answers is composed with Express; everything else goes straight through. */
function edgeServer(context: Context, isDraining: () => boolean): Server {
  const { config, log } = context
  const edge = createEdge(context)
  const own = express().disable('x-powered-by').disable('etag').set('query parser', false)
  own.use(docsRoutes(config.PUBLIC_BASE_URL))
  own.use((_request, _response, next) => next(problem('not_found', { detail: 'There is nothing at this path' })))
  own.use((error: unknown, request: express.Request, response: express.Response, _next: express.NextFunction) =>
    refuse(response, error, { base: config.PUBLIC_BASE_URL, requestId: requestIdOf(request.get('x-request-id')), log }),
  )
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 15_000, requestTimeout: 0 },
    (request, response) => {
      if (isDraining()) response.setHeader('connection', 'close')
      if (isDescription(request.url ?? '')) own(request, response)
      else void edge(request, response)
    },
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerUnreadable(error, socket, config.PUBLIC_BASE_URL),
  )
  return server
}

const isDescription = (url: string) => url.startsWith('/docs') || url.startsWith('/openapi.json')

/** A request that could not even be parsed still gets an answer of our shape. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, base: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known = problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'header_fields_too_large' : 'malformed_body', {
    detail:
      error.code === 'HPE_HEADER_OVERFLOW' ? 'The header fields are too large' : 'The request is not well-formed HTTP',
  })
  const body = JSON.stringify(problemBody(known, base, requestIdOf(undefined)))
  socket.end(
    `HTTP/1.1 ${known.status} ${known.title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function adminServer({ metrics, identities }: Context, isDraining: () => boolean): Server {
  const app = express().disable('x-powered-by')
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get(
    '/readyz',
    (_request, response) =>
      void response.status(isDraining() ? 503 : 200).json({ status: isDraining() ? 'draining' : 'ready' }),
  )
  app.get('/metrics', async (_request, response) => {
    metrics.gauge('edge_cached_identities', identities.size())
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return createServer(app)
}
