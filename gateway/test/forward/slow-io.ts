import type { Socket } from 'node:net'
import { eventually } from '@wp/testkit'
import type { RawConnection } from '../raw-connection.ts'

export const megabyte = 'x'.repeat(1_048_576)

/** Lets real time pass: for tests of timeouts of real sockets. */
export const elapse = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a number stays the same over ten readings, and returns it. */
export async function waitUntilStable(read: () => number): Promise<number> {
  let last = -1
  let same = 0
  await eventually(() => {
    same = read() === last ? same + 1 : 0
    last = read()
    return same >= 10 && last > 0
  })
  return last
}

/** Keeps writing as fast as the peer reads. */
export function writeContinuously(socket: Socket): void {
  const writeMore = () => {
    while (!socket.destroyed && socket.write(megabyte));
  }
  socket.on('drain', writeMore)
  writeMore()
}

/** Writes megabytes as fast as the peer reads. */
export async function writeMegabytes(client: RawConnection, megabytes: number): Promise<void> {
  for (let sent = 0; sent < megabytes; sent += 1) await client.write(megabyte)
}
