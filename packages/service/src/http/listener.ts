import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { InFlightRequests } from './in-flight.ts'

/** How a server may share its port. */
interface ListenOptions {
  /** Whether other processes may listen on the same port, the kernel choosing one for each connection. */
  reusePort?: boolean
}

/** Starts to listen. @throws one clear line when the port is taken */
export async function listenOn(
  server: Server,
  host: string,
  port: number,
  opening: ListenOptions = {},
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} on ${host} is taken by another process`) : error),
    )
    server.listen({ port, host, ...opening }, resolve)
  })
  return (server.address() as AddressInfo).port // a server that listens on TCP has such an address
}

/** Closes at once what nobody is to be waited for on. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** How a server ends. */
export interface DrainOptions {
  /** How long it goes on listening, until whoever sends it requests has seen that it is not ready. */
  drainMs: number
  /** What is under way this long after the beginning is cut. */
  graceMs: number
  /** Called when it stops listening: what would never end by itself should now. */
  onDrained?: () => void
}

/** How often somebody looks for connections that can end. */
const lookEveryMs = 50

/**
 * Ends a server so that no request is lost: for a while it serves as before but that every answer is the last on its
 * connection; then it stops listening and lets what is under way end. A connection on which nothing has happened for as
 * long as that while is ended, too, by a FIN after a last look at what has arrived.
 */
export async function drainServer(server: Server, exchanges: InFlightRequests, ending: DrainOptions): Promise<void> {
  const graceMs = Math.max(ending.graceMs, 0)
  const drainMs = Math.min(ending.drainMs, graceMs)
  exchanges.startDraining()
  exchanges.closeIdleConnections(performance.now(), Number.POSITIVE_INFINITY) // from now on quiet is counted
  if (drainMs > 0) await pause(drainMs)
  ending.onDrained?.()
  const closed = stopListening(server)
  // immediates run when all that had arrived has been read
  const look = () => void setImmediate(() => exchanges.closeIdleConnections(performance.now(), drainMs))
  look()
  const looking = setInterval(look, lookEveryMs)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs - drainMs)
  await closed
  clearInterval(looking)
  clearTimeout(cut)
  server.close() // what only HTTP's has: an interval that looks for late headers
}

/** That of HTTP's servers also resets connections that seem idle, a request that has just arrived on them or not. */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
