import { connect, type Socket } from 'node:net'
import { eventually } from '@wp/testkit'

/** A TCP connection that sends exactly the given bytes. */
export interface RawConnection {
  socket: Socket
  write(text: string): Promise<void>
  /** Returns everything received so far. */
  received(): string
  isClosed(): boolean
  /** Waits until the received text matches. */
  waitFor(pattern: RegExp): Promise<string>
  waitForClose(): Promise<string>
}

/** Opens a connection to a server. */
export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let receivedText = ''
  let hasClosed = false
  socket.on('data', (chunk) => {
    receivedText += String(chunk)
  })
  socket.on('close', () => {
    hasClosed = true
  })
  socket.on('error', () => undefined) // a reset counts as a close; tests check what was received before
  return {
    socket,
    write: (text) => new Promise((resolve) => socket.write(text, 'latin1', () => resolve())),
    received: () => receivedText,
    isClosed: () => hasClosed,
    async waitFor(pattern) {
      await eventually(() => pattern.test(receivedText), {
        description: () => `${pattern} in ${JSON.stringify(receivedText)}`,
      })
      return receivedText
    },
    async waitForClose() {
      await eventually(() => hasClosed, { description: 'the connection to close' })
      return receivedText
    },
  }
}

/** Sends a request with `Connection: close` and returns the complete response. */
export async function exchangeRaw(url: string, text: string): Promise<string> {
  const connection = openRaw(url)
  await connection.write(text)
  return connection.waitForClose()
}
