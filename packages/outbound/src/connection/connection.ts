import type { Socket } from 'node:net'
import { Client } from 'undici'
import { OutboundError } from '../error.ts'
import { acceptInterimResponses } from './interim-responses.ts'

/** Idle timeout of a connection whose server declares none. Node.js servers close idle connections after 5 s. */
const idleTimeoutMs = 4_000
/** Maximum idle timeout a server can declare, and how long before it the connection is closed. */
const maxIdleMs = 60_000
const idleMarginMs = 1_000

/**
 * One connected socket to a validated address, with its HTTP/1.1 client. The client can never open another socket:
 * after the socket is closed, a new connection requires a new lookup and validation.
 */
export interface Connection {
  readonly client: Client
  readonly socket: Socket
  readonly address: string
  /** Requests to the same origin with the same client certificate share connections. */
  readonly poolKey: string
  readonly openedAt: number
  /** True from the second request on. */
  reused: boolean
  /** Prepares the connection for the response to a request that is about to be sent. */
  expectResponse(): void
}

/** Error of a request whose kept-alive connection was closed before anything was sent. */
export class StaleConnectionError extends OutboundError {
  constructor() {
    super('reset', 'the connection was closed before the request was sent')
  }
}

export function createConnection(
  socket: Socket,
  { origin, poolKey, address }: Pick<Connection, 'poolKey' | 'address'> & { origin: string },
): Connection {
  const { expectResponse } = acceptInterimResponses(socket)
  let isSocketTaken = false
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const isReconnect = isSocketTaken
      isSocketTaken = true
      // Deferred, because undici loses a connection that is passed synchronously.
      queueMicrotask(() => (isReconnect ? callback(new StaleConnectionError(), null) : callback(null, socket)))
    },
    allowH2: false,
    pipelining: 1,
    useMilo: false,
    // The deadline of the exchange applies instead; a stream sets its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: maxIdleMs,
    keepAliveTimeoutThreshold: idleMarginMs,
  })
  return { client, socket, address, poolKey, openedAt: performance.now(), reused: false, expectResponse }
}

/** Closes a connection at once; a request in progress fails. */
export function destroyConnection(connection: Connection, reason: Error | null = null): void {
  connection.client.destroy(reason, () => {})
  connection.socket.destroy()
}
