import { type HttpDestination, type PortRange, type Protocol, parseUrl } from '../address/destination.ts'
import type { CloseSignal } from '../connection/close-signal.ts'
import { type Connection, createConnection, StaleConnectionError } from '../connection/connection.ts'
import type { ConnectionPool } from '../connection/connection-pool.ts'
import { startDeadline } from '../connection/deadline.ts'
import { type Dialer, dial } from '../connection/dial.ts'
import { OutboundError } from '../error.ts'
import { Progress } from './progress.ts'
import { buildMessage, type RequestHeaders, type RequestMessage } from './request-message.ts'

export interface CallOptions {
  url: string | URL
  /** GET by default. */
  method?: string
  headers?: RequestHeaders
  body?: string | Uint8Array | undefined
  /** `https:` alone by default. */
  protocols?: readonly Protocol[]
  /** Instead of the client's own rule. */
  ports?: readonly PortRange[]
  /**
   * Whether sending it twice does no harm, as with a POST that carries a request id. Such a request is sent once more,
   * on a new connection, when the server closed the kept-alive one it was written to without a word (RFC 9110, 9.2.2).
   * By default true for GET, HEAD, OPTIONS, PUT and DELETE.
   */
  idempotent?: boolean
  /** For lookup, connection and handshake together; 5,000 by default. */
  connectTimeoutMs?: number
  signal?: AbortSignal
}

/** What all calls of one client share. */
export interface ClientContext {
  dialer: Dialer
  pool: ConnectionPool
  ports: readonly PortRange[]
  closeSignal: CloseSignal
}

/** One call under way. */
export interface Call {
  pool: ConnectionPool
  message: RequestMessage
  signal: AbortSignal
  progress: Progress
  /** Runs `talk` over a kept-alive or a new connection, a second time only where that is safe. */
  withConnection<T>(talk: (connection: Connection) => Promise<T>): Promise<T>
  /** Adds to a failure what is known of the attempt. */
  addAttemptDetails(error: unknown): unknown
  /** Stops the clock; to be called once the answer is complete or the call has failed. */
  release(): void
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Begins a call. Throws an OutboundError of kind `invalid_url` or `invalid_request`. */
export function startCall(client: ClientContext, options: CallOptions, timeoutMs: number): Call {
  const { method = 'GET', protocols, connectTimeoutMs = 5_000 } = options
  const destination = parseUrl(options.url, { protocols, ports: options.ports ?? client.ports })
  const message = buildMessage({ method, url: destination.url, headers: options.headers, body: options.body })
  const idempotent = options.idempotent ?? idempotentMethods.has(method)
  const { pool, dialer, closeSignal: closing } = client
  const { signal, release } = startDeadline(timeoutMs, 'the whole exchange', options.signal, closing)
  const progress = new Progress()
  const origin = canonicalOrigin(destination)

  const open = async () => {
    const tls = destination.protocol === 'https:' ? { servername: destination.host, alpn: ['http/1.1'] } : undefined
    const socket = await dial(dialer, destination, { tls, connectTimeoutMs, signal, progress })
    const connection = createConnection(socket, origin, progress.address ?? '')
    pool.add(connection)
    return connection
  }

  return {
    pool,
    message,
    signal,
    progress,
    release,
    withConnection: async (talk) => {
      const reusable = pool.take(origin)
      if (reusable === undefined) return talk(await open())
      try {
        progress.address = reusable.address
        return await talk(reusable)
      } catch (error) {
        if (!isSafeToRetry(error, idempotent, progress)) throw error
        progress.forgetConnection()
        return talk(await open())
      }
    },
    addAttemptDetails: (error) => (error instanceof OutboundError ? error.withDetails(progress.details()) : error),
  }
}

/** Safe when nothing was sent; or when the answer had not begun and a second copy does no harm. */
function isSafeToRetry(error: unknown, idempotent: boolean, { stage }: Progress): boolean {
  if (error instanceof StaleConnectionError) return true
  return idempotent && error instanceof OutboundError && error.kind === 'reset' && stage === 'request'
}

/** The destination's own origin, whose host is canonical; so `Host` and the pool know one spelling. */
function canonicalOrigin({ protocol, host, port }: HttpDestination): string {
  return `${protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`
}
