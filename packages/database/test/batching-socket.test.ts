import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { BatchingSocket } from '../src/connection/pool.ts'

const server = createServer((socket) => socket.pipe(socket))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

/** A socket that records what it passes to the system. */
class RecordingSocket extends BatchingSocket {
  readonly packets: string[] = []

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], callback: (error?: Error | null) => void) {
    this.packets.push(chunks.map(({ chunk }) => chunk.toString()).join(''))
    super._writev?.(chunks, callback)
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void) {
    this.packets.push(chunk.toString())
    super._write(chunk, encoding, callback)
  }
}

async function connect(): Promise<RecordingSocket> {
  const socket = new RecordingSocket()
  const address = server.address()
  socket.connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Writes the messages of a statement as the client of PostgreSQL does. */
function writeStatement(socket: BatchingSocket, ...messages: string[]): void {
  socket.cork()
  for (const message of messages) socket.write(message)
  socket.uncork()
}

/** Waits until the server has sent a text back. */
async function expectEcho(socket: BatchingSocket, text: string): Promise<void> {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
  })
  await eventually(() => received.length >= text.length)
  expect(received).toBe(text)
}

it('sends the statements of a tick as one packet, in order', async () => {
  const socket = await connect()
  writeStatement(socket, 'bind1 ', 'execute1 ')
  writeStatement(socket, 'bind2 ', 'execute2 ')
  await Promise.resolve().then(() => writeStatement(socket, 'bind3 ', 'execute3'))
  await expectEcho(socket, 'bind1 execute1 bind2 execute2 bind3 execute3')
  expect(socket.packets).toEqual(['bind1 execute1 bind2 execute2 bind3 execute3'])
  socket.destroy()
})

it('keeps statements of different ticks apart, and what is written outside of statements in order', async () => {
  const socket = await connect()
  writeStatement(socket, 'first ')
  socket.write('simple ')
  await new Promise(setImmediate)
  writeStatement(socket, 'second')
  await expectEcho(socket, 'first simple second')
  expect(socket.packets).toEqual(['first simple ', 'second'])
  socket.destroy()
})

it('can be destroyed in the tick of a statement', async () => {
  const socket = await connect()
  writeStatement(socket, 'lost')
  socket.destroy()
  await once(socket, 'close')
})
