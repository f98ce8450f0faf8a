import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problem } from '@wp/contracts'
import express from 'express'
import { requestIdOf } from '../correlation.ts'
import { createExchanges } from './exchanges.ts'
import { refuse } from './refuse.ts'
import { type Serving, type Surface, serve } from './routes.ts'

/** The HTTP side of a process. */
export interface HttpServer {
  port: number
  /** From now on unready; answers carry `Connection: close`. */
  drain(): void
  /** Stops accepting, waits for what is under way, at most `graceMs`. */
  close(graceMs: number): Promise<void>
}

interface Options extends Serving {
  host: string
  port: number
  surfaces: readonly Surface[]
  ready: () => Promise<boolean>
}

/** Twice what the edge takes (Node's 16 KiB), so that what the edge adds to a long request still passes. */
const maxHeaderBytes = 32_768

/** A path that no decoder can read names nothing. */
const undecodable = (error: unknown) => error instanceof URIError

/** Listens. Health, readiness and metrics stand beside the surfaces and are not reachable through the edge. */
export async function listen(options: Options): Promise<HttpServer> {
  let draining = false
  const exchanges = createExchanges()
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  app.use((request, response, next) => {
    response.locals.requestId = requestIdOf(request.get('x-request-id'))
    response.setHeader('x-request-id', response.locals.requestId)
    exchanges.begin(response)
    next()
  })
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    const ready = !draining && (await options.ready().catch(() => false))
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : draining ? 'draining' : 'starting' })
  })
  app.get('/metrics', async (_request, response) => {
    response.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics())
  })
  app.use(serve(options.surfaces, options))
  app.use((_request, _response, next) => next(problem('not_found')))
  // Express knows an error handler by its four parameters
  app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    refuse(response, undecodable(error) ? problem('not_found') : error, {
      ...options,
      requestId: String(response.locals.requestId),
    }),
  )
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: maxHeaderBytes }, app)
  server.on('connection', (connection) => exchanges.connected(connection))
  const port = await open(server, options.host, options.port)
  return {
    port,
    drain() {
      draining = true
      exchanges.drain()
    },
    close: (graceMs) => close(server, graceMs),
  }
}

/** Starts to listen. @throws one clear line when the port is taken */
export async function open(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} on ${host} is taken by another process`) : error),
    )
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port // a server that listens on TCP has such an address
}

/** Stops accepting, lets what is under way end, and cuts what has not ended after `graceMs`. */
export async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // a connection becomes idle when its last answer is out, which Node does not tell
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
