import type { Socket } from 'node:net'
import { eventually } from '@wp/testkit'
import type { RawConnection } from '../raw-connection.ts'

export const megabyte = 'x'.repeat(1_048_576)

/** Time that must pass because time is what is tested. */
export const passing = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a number has stayed the same for a while. @returns it */
export async function standstill(read: () => number): Promise<number> {
  let last = -1
  let same = 0
  await eventually(() => {
    same = read() === last ? same + 1 : 0
    last = read()
    return same >= 10 && last > 0
  })
  return last
}

/** Writes for as long as somebody takes it. */
export function pour(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(megabyte));
  }
  socket.on('drain', more)
  more()
}

/** Writes so many megabytes, as fast as they are taken. */
export async function flood(client: RawConnection, megabytes: number): Promise<void> {
  for (let sent = 0; sent < megabytes; sent += 1) await client.write(megabyte)
}
