import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { errorCode } from '@wp/runtime'
import { OutboundError } from '../error.ts'
import { tlsReason } from './failure-reason.ts'

/**
 * Upgrades a connected socket to TLS with a trusted certificate that is valid for `servername`. Sets
 * `rejectUnauthorized` explicitly, so that no environment variable can disable verification.
 *
 * @param options `accepted` tells a user which certificates are accepted; default those of public authorities
 * @throws OutboundError `tls`, or the reason of the signal
 */
export async function performTlsHandshake(
  socket: Socket,
  { servername, alpn, accepted }: { servername: string; alpn?: string[]; accepted?: string },
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    secureContext,
    rejectUnauthorized: true,
    // RFC 6066: an address is never sent as the server name; the certificate is checked against `host` instead.
    host: servername,
    ...(isIP(servername) === 0 ? { servername } : {}),
    ...(alpn ? { ALPNProtocols: alpn } : {}),
  })
  return waitUntilReady(secure, 'secureConnect', signal, (error) => {
    const code = errorCode(error)
    const message = `no trusted TLS connection to ${servername}: ${tlsReason(code, accepted)}`
    return new OutboundError('tls', message, { code, cause: error })
  })
}

/**
 * Waits until the socket is ready, or destroys it. Keeps an error listener, since an unhandled error ends the process.
 */
export function waitUntilReady<S extends Socket>(
  socket: S,
  ready: string,
  signal: AbortSignal,
  describe: (error: unknown) => OutboundError,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>()
  const abort = () => {
    socket.destroy()
    reject(signal.reason)
  }
  const fail = (error: unknown) => reject(describe(error))
  socket.on('error', fail)
  socket.once('close', () => fail(new Error('the connection was closed')))
  socket.once(ready, () => resolve(socket))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return promise.finally(() => signal.removeEventListener('abort', abort))
}
