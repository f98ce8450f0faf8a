import { createServer } from 'node:http'
import { problem } from '@wp/contracts'
import express from 'express'
import { requestIdOf } from '../telemetry/correlation.ts'
import type { MetricsRegistry } from '../telemetry/metrics.ts'
import { createInFlightRequests } from './in-flight.ts'
import { closeServer, type DrainOptions, drainServer, listenOn } from './listener.ts'
import { sendProblem } from './problem-response.ts'
import { type BoundSurface, createRouter, type RouterOptions } from './routes.ts'

/** The HTTP side of a process. */
export interface HttpServer {
  port: number
  /** From now on unready; ends with no request lost. */
  drain(ending: DrainOptions): Promise<void>
  close(): Promise<void>
}

interface Options extends RouterOptions {
  host: string
  port: number
  surfaces: readonly BoundSurface[]
  metrics: MetricsRegistry
  isReady: () => Promise<boolean>
}

/** Twice what the edge takes (Node's 16 KiB), so that what the edge adds to a long request still passes. */
const maxHeaderBytes = 32_768

/** A path that no decoder can read names nothing. */
const undecodable = (error: unknown) => error instanceof URIError

/** Listens. Health, readiness and metrics stand beside the surfaces and are not reachable through the edge. */
export async function listen(options: Options): Promise<HttpServer> {
  let draining = false
  const exchanges = createInFlightRequests()
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  app.use((request, response, next) => {
    response.locals.requestId = requestIdOf(request.get('x-request-id'))
    response.setHeader('x-request-id', response.locals.requestId)
    if (exchanges.trackRequest(response)) next()
  })
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    const ready = !draining && (await options.isReady().catch(() => false))
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : draining ? 'draining' : 'starting' })
  })
  app.get('/metrics', async (_request, response) => {
    response.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics())
  })
  app.use(createRouter(options.surfaces, options))
  app.use((_request, _response, next) => next(problem('not_found')))
  // Express knows an error handler by its four parameters
  app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    sendProblem(response, undecodable(error) ? problem('not_found') : error, {
      ...options,
      requestId: String(response.locals.requestId),
    }),
  )
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: maxHeaderBytes }, app)
  server.on('connection', (connection) => exchanges.trackConnection(connection))
  const port = await listenOn(server, options.host, options.port)
  return {
    port,
    drain(ending) {
      draining = true
      return drainServer(server, exchanges, ending)
    },
    close: () => closeServer(server),
  }
}
