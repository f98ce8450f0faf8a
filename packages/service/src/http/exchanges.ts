import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Which answers are still owed, on which connection. */
export interface Exchanges {
  /** Notes a connection until it closes. */
  connected(connection: Duplex): void
  /** Notes a request whose answer is owed until its response closes. */
  begin(response: ServerResponse): void
  /** The answers a connection still waits for, oldest first. */
  owedOn(connection: Duplex): readonly ServerResponse[]
  /** From now on every answer that has not begun says that it is the last on its connection. */
  drain(): void
}

/**
 * A connection carries what is owed on it itself: a map of all of them, changed twice a request, would keep what is long
 * over through young collections.
 */
const owed = Symbol('owed')
interface Connection extends Duplex {
  [owed]?: ServerResponse[]
}

/** How long the rest of a request may go on arriving after it was answered, in milliseconds. */
const lingerMs = 2000

/** For one server, whose connections and requests it has to be told of. */
export function createExchanges(): Exchanges {
  const connections = new Set<Connection>()
  let draining = false

  function end(response: ServerResponse): void {
    const { socket }: { socket: Connection } = response.req
    const responses = socket[owed] ?? []
    const at = responses.indexOf(response)
    if (at >= 0) responses.splice(at, 1)
    endRequest(response)
  }

  return {
    connected(connection) {
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
    },
    begin(response) {
      const { socket }: { socket: Connection } = response.req
      socket[owed] ??= []
      socket[owed].push(response)
      if (draining) isLast(response)
      response.once('close', () => end(response))
    },
    owedOn: (connection: Connection) => connection[owed] ?? [],
    drain() {
      draining = true
      for (const connection of connections) connection[owed]?.forEach(isLast)
    },
  }
}

function isLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** Nobody reads a request that was answered; one that never ends would hold its connection for ever. */
function endRequest({ req: request }: ServerResponse): void {
  if (request.complete || request.destroyed) return
  const cut = setTimeout(() => request.destroy(), lingerMs).unref()
  request.once('end', () => clearTimeout(cut)).once('close', () => clearTimeout(cut))
}
