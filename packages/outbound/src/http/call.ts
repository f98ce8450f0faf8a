import { type HttpDestination, type PortRange, type Protocol, parseUrl } from '../address/destination.ts'
import { Progress } from '../attempt-progress.ts'
import type { ClientCertificate, ClientIdentity } from '../connection/client-certificates.ts'
import { type Connection, createConnection, StaleConnectionError } from '../connection/connection.ts'
import type { ConnectionPool } from '../connection/connection-pool.ts'
import type { CloseSignal } from '../connection/deadline.ts'
import { startDeadline } from '../connection/deadline.ts'
import { type Dialer, dial } from '../connection/dial.ts'
import { OutboundError } from '../error.ts'
import { buildMessage, type RequestHeaders, type RequestMessage } from './request-message.ts'

export interface CallOptions {
  url: string | URL
  /** Default GET. */
  method?: string
  headers?: RequestHeaders
  body?: string | Uint8Array | undefined
  /** Default: `https:` only. */
  protocols?: readonly Protocol[]
  /** Replaces the allowed ports of the client. */
  ports?: readonly PortRange[]
  /**
   * True if sending the request twice is safe, as with a POST that carries a request id. Such a request is retried
   * once, on a new connection, if the server closed the kept-alive connection without a response (RFC 9110, section
   * 9.2.2). Default: true for GET, HEAD, OPTIONS, PUT and DELETE.
   */
  idempotent?: boolean
  /** Authenticates the client in the TLS handshake. Default: none. */
  clientCertificate?: ClientCertificate | undefined
  /** Limit for lookup, connection and handshake together; default 5,000 ms. */
  connectTimeoutMs?: number
  signal?: AbortSignal
}

/** State shared by all calls of one client. */
export interface ClientContext {
  dialer: Dialer
  pool: ConnectionPool
  ports: readonly PortRange[]
  closeSignal: CloseSignal
  /** Returns the TLS settings with a client certificate. */
  identityOf(certificate: ClientCertificate): ClientIdentity
}

/** A call in progress. */
export interface Call {
  pool: ConnectionPool
  message: RequestMessage
  signal: AbortSignal
  progress: Progress
  /** Runs `send` with a kept-alive or a new connection, and a second time only if that is safe. */
  withConnection<T>(send: (connection: Connection) => Promise<T>): Promise<T>
  /** Adds the details of the attempt to an OutboundError. */
  addAttemptDetails(error: unknown): unknown
  /** Stops the timer; call it when the response is complete or the call has failed. */
  release(): void
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Starts a call. @throws OutboundError `invalid_url`, `invalid_request` */
export function startCall(client: ClientContext, options: CallOptions, timeoutMs: number): Call {
  const { method = 'GET', protocols, connectTimeoutMs = 5_000 } = options
  const destination = parseUrl(options.url, { protocols, ports: options.ports ?? client.ports })
  const message = buildMessage({ method, url: destination.url, headers: options.headers, body: options.body })
  const idempotent = options.idempotent ?? idempotentMethods.has(method)
  const { pool, dialer, closeSignal: closing } = client
  const { clientCertificate } = options
  const identity = clientCertificate === undefined ? undefined : client.identityOf(clientCertificate)
  const { signal, release } = startDeadline(timeoutMs, 'the request', options.signal, closing)
  const progress = new Progress()
  const origin = canonicalOrigin(destination)
  const poolKey = identity === undefined ? origin : `${origin} ${identity.id}`

  const open = async () => {
    const tls =
      destination.protocol === 'https:'
        ? { servername: destination.host, alpn: ['http/1.1'], secureContext: identity?.secureContext }
        : undefined
    const socket = await dial(dialer, destination, { tls, connectTimeoutMs, signal, progress })
    const connection = createConnection(socket, { origin, poolKey, address: progress.address ?? '' })
    pool.add(connection)
    return connection
  }

  return {
    pool,
    message,
    signal,
    progress,
    release,
    withConnection: async (send) => {
      const reusable = pool.take(poolKey)
      if (reusable === undefined) return send(await open())
      try {
        progress.address = reusable.address
        return await send(reusable)
      } catch (error) {
        if (!isSafeToRetry(error, idempotent, progress)) throw error
        progress.forgetConnection()
        return send(await open())
      }
    },
    addAttemptDetails: (error) => (error instanceof OutboundError ? error.withDetails(progress.details()) : error),
  }
}

/** Returns true if nothing was sent, or if there was no response yet and the request is idempotent. */
function isSafeToRetry(error: unknown, idempotent: boolean, { stage }: Progress): boolean {
  if (error instanceof StaleConnectionError) return true
  return idempotent && error instanceof OutboundError && error.kind === 'reset' && stage === 'request'
}

/** Returns the origin with the canonical host, so that `Host` and the pool use one spelling. */
function canonicalOrigin({ protocol, host, port }: HttpDestination): string {
  return `${protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`
}
