import { connect, type Socket } from 'node:net'
import { eventually } from '@wp/testkit'

/** A connection that sends exactly the bytes it is given. */
export interface RawConnection {
  socket: Socket
  write(text: string): Promise<void>
  /** All that came back until now. */
  said(): string
  closed(): boolean
  /** Waits until what came back matches. */
  until(pattern: RegExp): Promise<string>
  untilClosed(): Promise<string>
}

/** Connects to a server. */
export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let said = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    said += String(chunk)
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => undefined) // a reset is an end like another; tests look at what was said before
  return {
    socket,
    write: (text) => new Promise((resolve) => socket.write(text, 'latin1', () => resolve())),
    said: () => said,
    closed: () => isClosed,
    async until(pattern) {
      await eventually(() => pattern.test(said), {
        timeoutMs: 8000,
        description: `${pattern} in ${JSON.stringify(said)}`,
      })
      return said
    },
    async untilClosed() {
      await eventually(() => isClosed, { timeoutMs: 8000, description: 'the end of the connection' })
      return said
    },
  }
}

/** Sends a request that asks for the end of its connection, and waits for that. */
export async function exchangeRaw(url: string, text: string): Promise<string> {
  const connection = openRaw(url)
  await connection.write(text)
  return connection.untilClosed()
}
