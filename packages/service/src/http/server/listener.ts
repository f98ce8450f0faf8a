import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { pause } from '@wp/runtime'
import type { InFlightRequests } from './in-flight.ts'

interface ListenOptions {
  /** True if several processes listen on the port; the kernel then chooses one for each connection. */
  reusePort?: boolean
}

/** Starts listening. @returns the port @throws an error of one line if the port is in use */
export async function listenOn(
  server: Server,
  host: string,
  port: number,
  options: ListenOptions = {},
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} on ${host} is already in use`) : error),
    )
    server.listen({ port, host, ...options }, resolve)
  })
  return (server.address() as AddressInfo).port // a server that listens on TCP has such an address
}

/** Closes a server and all its connections at once. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

export interface DrainOptions {
  /** Time the server keeps listening, until load balancers have noticed that it is not ready. */
  drainMs: number
  /** Time from the start of the drain until requests still in flight are aborted. */
  graceMs: number
  /** Called when the server stops listening: responses that do not end by themselves should end now. */
  onDrained?: () => void
}

/** Interval between looks for idle connections. */
const idleCheckMs = 50

/**
 * Stops a server without losing a request. For `drainMs` it serves as before, except that every response is the last of
 * its connection; then it stops listening and waits for the requests in flight. Connections idle for as long as
 * `drainMs` are closed too, after everything they received has been read.
 */
export async function drainServer(server: Server, inFlight: InFlightRequests, options: DrainOptions): Promise<void> {
  const graceMs = Math.max(options.graceMs, 0)
  const drainMs = Math.min(options.drainMs, graceMs)
  inFlight.startDraining()
  inFlight.closeIdleConnections(performance.now(), Number.POSITIVE_INFINITY) // starts measuring; closes none
  if (drainMs > 0) await pause(drainMs)
  options.onDrained?.()
  const closed = stopListening(server)
  // an immediate runs after all received data has been read
  const closeIdle = () => void setImmediate(() => inFlight.closeIdleConnections(performance.now(), drainMs))
  closeIdle()
  const checking = setInterval(closeIdle, idleCheckMs)
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs - drainMs)
  await closed
  clearInterval(checking)
  clearTimeout(deadline)
  server.close() // stops the interval of http.Server that looks for slow requests
}

/** `close` of http.Server also resets connections that seem idle, even if a request has just arrived on them. */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
