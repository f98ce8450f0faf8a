import type { Socket } from 'node:net'
import { ConnectionFailure } from './failure.ts'

/**
 * Talks over a connection for so long and no longer, and leaves none behind: not to a server that hangs, nor to one that
 * sends a byte now and then.
 * @param who begins "… took longer than n ms"
 * @throws ConnectionFailure `timeout`, or what the work throws
 */
export async function within(timeoutMs: number, who: string, socket: Socket, work: () => Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new ConnectionFailure('timeout', `${who} took longer than ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    await Promise.race([work(), late])
    socket.destroySoon()
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
