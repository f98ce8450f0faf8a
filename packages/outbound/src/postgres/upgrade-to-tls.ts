import type { Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { performTlsHandshake } from '../connection/tls-handshake.ts'
import { OutboundError } from '../error.ts'

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Tell the user of an integration which certificates are accepted, without and with a secret `ca`. */
const [publicOrPrivate, ownAuthority] = [
  'to accept a private authority, set `secrets.ca`',
  'only that of `secrets.ca` is accepted',
]

/** The certificates that a connection accepts. */
export interface PostgresTrust {
  secureContext: SecureContext
  /** True if the user has named the only trusted authority. */
  hasOwnAuthority: boolean
}

/**
 * Upgrades a connection to a PostgreSQL server to TLS (PostgreSQL, 54.2.10), before anything else is sent.
 * @throws OutboundError `tls`, `protocol` or `reset`; the reason of the signal
 */
export async function upgradeToTls(
  socket: Socket,
  host: string,
  { secureContext, hasOwnAuthority }: PostgresTrust,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const answered = readAnswer(socket, signal)
  socket.write(sslRequest)
  const answer = await answered
  // An attacker on the network may have inserted further bytes before the handshake (CVE-2021-23222).
  if (answer === 'N') throw new OutboundError('tls', 'The server does not speak TLS')
  if (answer !== 'S') throw new OutboundError('protocol', 'The server does not answer like PostgreSQL')
  const accepted = hasOwnAuthority ? ownAuthority : publicOrPrivate
  return performTlsHandshake(socket, { servername: host, accepted }, secureContext, signal)
}

async function readAnswer(socket: Socket, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const onData = (bytes: Buffer) => resolve(bytes.toString('latin1'))
  const onClose = (cause?: unknown) => reject(new OutboundError('reset', 'The server closed the connection', { cause }))
  const onAbort = () => reject(signal.reason)
  socket.once('data', onData).once('end', onClose).once('close', onClose).once('error', onClose)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await promise
  } finally {
    socket.pause()
    socket.off('data', onData).off('end', onClose).off('close', onClose).off('error', onClose)
    signal.removeEventListener('abort', onAbort)
  }
}
