import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Which answers are still owed, on which connection. */
export interface InFlightRequests {
  /** Notes a connection until it closes. */
  trackConnection(connection: Socket): void
  /**
   * Notes a request whose answer is owed until its response closes.
   * @returns whether it is to be served; not when it came behind the last answer of its connection, where nobody would
   * ever learn what it did (RFC 9112 section 9.6)
   */
  trackRequest(response: ServerResponse): boolean
  /** The answers a connection still waits for, oldest first. */
  pendingOn(connection: Duplex): readonly ServerResponse[]
  /** From now on every answer that has not begun says that it is the last on its connection. */
  startDraining(): void
  /**
   * Ends the connections on which nothing is owed and nothing has arrived for a time, as far as earlier calls have seen.
   * @param now milliseconds of any clock that only goes forward
   */
  closeIdleConnections(now: number, quietMs: number): void
}

/**
 * A connection carries what is owed on it itself: a map of all of them, changed twice a request, would keep what is long
 * over through young collections.
 */
const owed = Symbol('owed')
/** Since when how many bytes have arrived and no more; known only while the server ends. */
const quiet = Symbol('quiet')
interface Connection extends Socket {
  [owed]?: ServerResponse[]
  [quiet]?: { bytes: number; since: number } | undefined
}

/** How long the rest of a request may go on arriving after it was answered, in milliseconds. */
const lingerMs = 2000
/** How long a client may take to end its half of a quiet connection, in milliseconds. */
const halfMs = 500

/** For one server, whose connections and requests it has to be told of. */
export function createInFlightRequests(): InFlightRequests {
  const connections = new Set<Connection>()
  let draining = false

  function end(response: ServerResponse): void {
    const { socket } = response.req
    const responses = pendingOn(socket)
    const at = responses.indexOf(response)
    if (at >= 0) responses.splice(at, 1)
    endRequest(response)
  }

  return {
    trackConnection(connection) {
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
    },
    trackRequest(response) {
      const { socket }: { socket: Connection } = response.req
      if (draining && !becomesLast(response, pendingOn(socket))) return false
      socket[owed] ??= []
      socket[owed].push(response)
      response.on('close', () => end(response)) // it closes once
      return true
    },
    pendingOn,
    startDraining() {
      draining = true
      for (const connection of connections) {
        const newest = pendingOn(connection).at(-1)
        if (newest?.headersSent === false) newest.setHeader('connection', 'close')
      }
    },
    closeIdleConnections(now, quietMs) {
      for (const connection of connections) endIfQuiet(connection, now, quietMs)
    },
  }
}

// its own requests put it there
const pendingOn = (connection: Duplex): ServerResponse[] => (connection as Connection)[owed] ?? []

/** A pipelined request takes over from those before it: the first to say `close` would be the last to be sent. */
function becomesLast(response: ServerResponse, before: readonly ServerResponse[]): boolean {
  if (!response.req.socket.writable || before.some(saidLast)) return false
  for (const earlier of before) if (!earlier.headersSent) earlier.removeHeader('connection')
  response.setHeader('connection', 'close')
  return true
}

const saidLast = (response: ServerResponse) => response.headersSent && response.getHeader('connection') === 'close'

/**
 * By a FIN, never a reset: should a request cross it, the client sees that its connection ended with nothing answered.
 * Who does not end the other half is not waited for.
 */
function endIfQuiet(connection: Connection, now: number, quietMs: number): void {
  if (pendingOn(connection).length > 0 || connection.writableLength > 0) {
    connection[quiet] = undefined
    return
  }
  if (connection[quiet]?.bytes !== connection.bytesRead) connection[quiet] = { bytes: connection.bytesRead, since: now }
  const quietForMs = now - connection[quiet].since
  if (quietForMs < quietMs) return
  if (connection.writable) connection.end()
  else if (quietForMs >= quietMs + halfMs) connection.destroy()
}

/** Nobody reads a request that was answered; one that never ends would hold its connection for ever. */
function endRequest({ req: request }: ServerResponse): void {
  if (request.complete || request.destroyed) return
  const cut = setTimeout(() => request.destroy(), lingerMs).unref()
  request.once('end', () => clearTimeout(cut)).once('close', () => clearTimeout(cut))
}
