import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Which answers are still owed, on which connection. */
export interface Exchanges {
  /** Notes a request whose answer is owed until its response closes. */
  begin(response: ServerResponse): void
  /** The answers a connection still waits for, oldest first. */
  owedOn(connection: Duplex): ServerResponse[]
  /** From now on every answer that has not begun says that it is the last on its connection. */
  drain(): void
}

/** How long the rest of a request may go on arriving after it was answered, in milliseconds. */
const lingerMs = 2000

export function createExchanges(): Exchanges {
  const owed = new Map<Duplex, Set<ServerResponse>>()
  let draining = false

  function end(connection: Duplex, response: ServerResponse): void {
    const responses = owed.get(connection)
    responses?.delete(response)
    if (responses?.size === 0) owed.delete(connection)
    endRequest(response)
  }

  return {
    begin(response) {
      const { socket } = response.req
      const responses = owed.get(socket) ?? new Set()
      owed.set(socket, responses.add(response))
      if (draining) isLast(response)
      response.once('close', () => end(socket, response))
    },
    owedOn: (connection) => [...(owed.get(connection) ?? [])],
    drain() {
      draining = true
      for (const responses of owed.values()) for (const response of responses) isLast(response)
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
