import type { Socket } from 'node:net'
import { withTimeout } from '@wp/runtime'
import { ConnectionFailure } from './connection-failure.ts'

/**
 * Runs work on a connection with a time limit for all of it, which also covers a server that sends a byte now and then.
 * Closes the socket in any case.
 * @param peer the subject of the error message
 * @throws ConnectionFailure `timeout`, or the error of the work
 */
export async function withSocketTimeout(
  timeoutMs: number,
  peer: string,
  socket: Socket,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await withTimeout(
      timeoutMs,
      work(),
      () => new ConnectionFailure('timeout', `${peer} took longer than ${timeoutMs} ms`),
    )
    socket.destroySoon()
  } catch (error) {
    socket.destroy()
    throw error
  }
}
