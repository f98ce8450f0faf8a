import { createServer } from 'node:http'
import { problem } from '@wp/contracts'
import express from 'express'
import { requestIdOf } from '../../telemetry/correlation.ts'
import type { MetricsRegistry } from '../../telemetry/metrics.ts'
import type { BoundSurface } from '../bound-surface.ts'
import { sendProblem } from '../response/problem-response.ts'
import { createRouter, type RouterOptions } from '../routes.ts'
import { type SiteHandler, serveSite } from '../serve-site.ts'
import { createInFlightRequests } from './in-flight.ts'
import { closeServer, type DrainOptions, drainServer, listenOn } from './listener.ts'

/** The HTTP server of a service. */
export interface HttpServer {
  port: number
  /** Reports unready from now on and stops without losing a request. */
  drain(options: DrainOptions): Promise<void>
  close(): Promise<void>
}

interface Options extends Omit<RouterOptions, 'shutdown'> {
  host: string
  port: number
  surfaces: readonly BoundSurface[]
  /** Serves what no endpoint serves; without it that is 404. */
  site?: SiteHandler | undefined
  metrics: MetricsRegistry
  isReady: () => Promise<boolean>
}

/** Twice the limit of the edge (Node's 16 KiB), so that a long request still fits with the headers the edge adds. */
const maxHeaderBytes = 32_768

/** Ten times as long as any client keeps an idle connection: a request could reach one that the server closes. */
const keepAliveTimeout = 600_000

/** Starts the server. Health, readiness and metrics are not reachable through the edge. */
export async function listen(options: Options): Promise<HttpServer> {
  let isDraining = false
  const shutdown = new AbortController()
  const inFlight = createInFlightRequests()
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  app.use((request, response, next) => {
    response.locals.requestId = requestIdOf(request.get('x-request-id'))
    response.setHeader('x-request-id', response.locals.requestId)
    if (inFlight.trackRequest(response)) next()
  })
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    const isReady = !isDraining && (await options.isReady().catch(() => false))
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : isDraining ? 'draining' : 'starting' })
  })
  app.get('/metrics', async (_request, response) => {
    const { registry } = options.metrics
    response.type(registry.contentType).send(await registry.metrics())
  })
  app.use(createRouter(options.surfaces, { ...options, shutdown: shutdown.signal }))
  const { site } = options
  if (site !== undefined)
    app.use((request, response) =>
      serveSite(site, request, response, {
        ...options,
        shutdown: shutdown.signal,
        requestId: String(response.locals.requestId),
      }),
    )
  app.use((_request, _response, next) => next(problem('not_found')))
  // Express recognizes an error handler by its four parameters
  app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    sendProblem(response, isUndecodablePath(error) ? problem('not_found') : error, {
      ...options,
      requestId: String(response.locals.requestId),
    }),
  )
  const server = createServer({ keepAliveTimeout, requestTimeout: 0, maxHeaderSize: maxHeaderBytes }, app)
  server.on('connection', (connection) => inFlight.trackConnection(connection))
  const port = await listenOn(server, options.host, options.port)
  return {
    port,
    drain(drainOptions) {
      isDraining = true
      return drainServer(server, inFlight, { ...drainOptions, onDrained: () => shutdown.abort() })
    },
    close: () => closeServer(server),
  }
}

/** A path whose percent-encoding cannot be decoded names no resource. */
const isUndecodablePath = (error: unknown) => error instanceof URIError
