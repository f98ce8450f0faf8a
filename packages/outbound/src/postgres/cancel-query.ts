import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { startDeadline } from '../connection/deadline.ts'
import type { Outbound } from '../outbound.ts'
import type { BackendKey } from './child-messages.ts'
import { type PostgresTrust, upgradeToTls } from './upgrade-to-tls.ts'

const cancelRequest = 80_877_102
const timeoutMs = 5_000

/**
 * Cancels the running statement of a connection over a second one (PostgreSQL, 54.2.8 and 54.7). Never rejects: a
 * server that does not receive the request ends the statement at its timeout.
 */
export async function cancelQuery(
  outbound: Pick<Outbound, 'connect' | 'secureContext'>,
  { host, port, tls }: PostgresOptions,
  key: BackendKey,
): Promise<void> {
  const deadline = startDeadline(timeoutMs, 'the cancel request')
  let plain: Socket | undefined
  deadline.signal.addEventListener('abort', () => plain?.destroy(), { once: true })
  try {
    plain = await outbound.connect({ host, port, signal: deadline.signal })
    plain.on('error', () => {})
    const socket =
      tls === undefined ? plain : await upgradeToTls(plain, host, trustOf(outbound, tls.ca), deadline.signal)
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    socket.end(encodeCancelRequest(key))
    socket.resume()
    await closed
  } catch {
    // The request is sent once.
  } finally {
    deadline.release()
    plain?.destroy()
  }
}

const trustOf = ({ secureContext }: Pick<Outbound, 'secureContext'>, ca: string | undefined): PostgresTrust =>
  ca === undefined
    ? { secureContext, hasOwnAuthority: false }
    : { secureContext: createSecureContext({ ca }), hasOwnAuthority: true }

/** Encodes the message: its length, which includes itself, its code and the key. */
function encodeCancelRequest({ processID, secretKey }: BackendKey): Buffer {
  const numbers = [cancelRequest, processID, secretKey]
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeInt32BE(bytes.length)
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 + 4 * index)
  return bytes
}

export interface PostgresOptions {
  host: string
  port: number
  database: string
  user: string
  password?: string | undefined
  /** Undefined for a connection without TLS. `ca` (PEM) replaces the trusted authorities. */
  tls?: { ca?: string | undefined } | undefined
  /** Limit for lookup, connection, handshake and login together. */
  connectTimeoutMs: number
  signal?: AbortSignal | undefined
}
