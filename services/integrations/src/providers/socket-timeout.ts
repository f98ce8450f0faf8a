import type { Socket } from 'node:net'
import { withTimeout } from '@wp/runtime'
import { ConnectionFailure } from './connection-failure.ts'
import type { TestAccess } from './provider.ts'

/**
 * Runs work on a connection with a time limit for all of it, which also covers a server that sends a byte now and then.
 * Closes the socket in any case.
 * @param peer the subject of the error message
 * @throws ConnectionFailure `timeout`, the reason of the signal, or the error of the work
 */
export async function withSocketTimeout(
  { timeoutMs, signal }: Pick<TestAccess, 'timeoutMs' | 'signal'>,
  peer: string,
  socket: Socket,
  work: () => Promise<void>,
): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await withTimeout(
      timeoutMs,
      Promise.race([work(), aborted]),
      () => new ConnectionFailure('timeout', `${peer} took longer than ${timeoutMs} ms`),
    )
    socket.destroySoon()
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
