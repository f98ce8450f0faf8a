import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The requests in flight on a server, by connection. */
export interface InFlightRequests {
  /** Tracks a connection until it closes. */
  trackConnection(connection: Socket): void
  /**
   * Tracks a request until its response closes.
   * @returns false if it must not be served: it follows the last response of its connection, so the client could not
   *   learn its result (RFC 9112 section 9.6)
   */
  trackRequest(response: ServerResponse): boolean
  /** Returns the responses a connection still waits for, oldest first. */
  pendingOn(connection: Duplex): readonly ServerResponse[]
  /** From now on, marks every response that has not begun as the last of its connection (`Connection: close`). */
  startDraining(): void
  /**
   * Closes connections without requests in flight that have received nothing for `idleMs`, as far as earlier calls have
   * observed.
   * @param now milliseconds of a monotonic clock
   */
  closeIdleConnections(now: number, idleMs: number): void
}

/**
 * A connection holds its own pending responses. A map from connections, changed twice a request, would keep finished
 * requests alive through collections of the young generation.
 */
const pending = Symbol('pending')
/** Bytes received, and since when no more; observed only while the server drains. */
const idle = Symbol('idle')
interface Connection extends Socket {
  [pending]?: ServerResponse[]
  [idle]?: { bytes: number; since: number } | undefined
}

/** Time in which the rest of a request may arrive after its response has ended, in milliseconds. */
const lingerMs = 2000
/** Time a client has to close its half of an idle connection, in milliseconds. */
const halfCloseMs = 500

/** Creates the tracker of one server, which must report its connections and requests to it. */
export function createInFlightRequests(): InFlightRequests {
  const connections = new Set<Connection>()
  let isDraining = false

  function untrack(response: ServerResponse): void {
    const responses = pendingOn(response.req.socket)
    const index = responses.indexOf(response)
    if (index >= 0) responses.splice(index, 1)
    endRequest(response)
  }

  return {
    trackConnection(connection) {
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
    },
    trackRequest(response) {
      const { socket }: { socket: Connection } = response.req
      if (isDraining && !markLast(response, pendingOn(socket))) return false
      socket[pending] ??= []
      socket[pending].push(response)
      response.on('close', () => untrack(response)) // it closes once
      return true
    },
    pendingOn,
    startDraining() {
      isDraining = true
      for (const connection of connections) {
        const newest = pendingOn(connection).at(-1)
        if (newest?.headersSent === false) newest.setHeader('connection', 'close')
      }
    },
    closeIdleConnections(now, idleMs) {
      for (const connection of connections) closeIfIdle(connection, now, idleMs)
    },
  }
}

// Connections of this server are sockets; `trackRequest` added the property.
const pendingOn = (connection: Duplex): ServerResponse[] => (connection as Connection)[pending] ?? []

/**
 * Marks a response as the last of its connection; a pipelined request takes the mark from those before it, because the
 * first response marked `close` would be the last one sent.
 * @returns false if an earlier response already ends the connection
 */
function markLast(response: ServerResponse, earlier: readonly ServerResponse[]): boolean {
  if (!response.req.socket.writable || earlier.some(hasSentClose)) return false
  for (const other of earlier) if (!other.headersSent) other.removeHeader('connection')
  response.setHeader('connection', 'close')
  return true
}

const hasSentClose = (response: ServerResponse) => response.headersSent && response.getHeader('connection') === 'close'

/**
 * Closes with a FIN, not a reset: if a request crosses it, the client sees the connection end without a response and
 * can retry. A client that does not close its half in time is disconnected.
 */
function closeIfIdle(connection: Connection, now: number, idleMs: number): void {
  if (pendingOn(connection).length > 0 || connection.writableLength > 0) {
    connection[idle] = undefined
    return
  }
  if (connection[idle]?.bytes !== connection.bytesRead) connection[idle] = { bytes: connection.bytesRead, since: now }
  const idleForMs = now - connection[idle].since
  if (idleForMs < idleMs) return
  if (connection.writable) connection.end()
  else if (idleForMs >= idleMs + halfCloseMs) connection.destroy()
}

/**
 * The body of a request is no longer read once the response has ended; one that never ends would hold the connection.
 */
function endRequest({ req: request }: ServerResponse): void {
  if (request.complete || request.destroyed) return
  const deadline = setTimeout(() => request.destroy(), lingerMs).unref()
  request.once('end', () => clearTimeout(deadline)).once('close', () => clearTimeout(deadline))
}
