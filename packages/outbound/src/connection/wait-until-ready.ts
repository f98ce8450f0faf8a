import type { Socket } from 'node:net'
import type { OutboundError } from '../error.ts'

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
