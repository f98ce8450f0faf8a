import type { Socket } from 'node:net'
import { Client } from 'undici'
import { OutboundError } from '../error.ts'

/** How long a kept-alive connection may sit unused when its server does not say. Node's servers close after 5 s. */
const idleTimeoutMs = 4_000
/** What a server may ask for at most, and how long before its own limit we let go. */
const maxIdleMs = 60_000
const idleMarginMs = 1_000

/**
 * One vetted, connected socket and the HTTP/1.1 client that speaks over it. The client can never open another: when
 * the socket is gone so is the connection, and the next one is looked up and vetted again.
 */
export interface Connection {
  readonly client: Client
  readonly socket: Socket
  readonly address: string
  readonly origin: string
  readonly openedAt: number
  /** True from its second request on. */
  reused: boolean
}

/** What a request fails with when its kept-alive connection was closed before anything was sent on it. */
export class StaleConnectionError extends OutboundError {
  constructor() {
    super('reset', 'the connection was closed before the request was sent')
  }
}

export function createConnection(socket: Socket, origin: string, address: string): Connection {
  let isSocketTaken = false
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const isReconnect = isSocketTaken
      isSocketTaken = true
      // Deferred, since undici loses a connection that is handed over while it is still asking for it.
      queueMicrotask(() => (isReconnect ? callback(new StaleConnectionError(), null) : callback(null, socket)))
    },
    allowH2: false,
    pipelining: 1,
    useMilo: false,
    // The deadline of the whole exchange stands above these; a stream sets its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: maxIdleMs,
    keepAliveTimeoutThreshold: idleMarginMs,
  })
  return { client, socket, address, origin, openedAt: performance.now(), reused: false }
}

/** Ends it at once; a request under way on it fails. */
export function destroyConnection(connection: Connection, reason: Error | null = null): void {
  connection.client.destroy(reason, () => {})
  connection.socket.destroy()
}
