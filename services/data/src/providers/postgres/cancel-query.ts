import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** Identifies a connection in a cancel request; sent by the server after login. */
export interface BackendKey {
  processID: number
  secretKey: number
}

const cancelRequest = 80_877_102
const sslRequest = 80_877_103
const timeoutMs = 5_000

/**
 * Cancels the running statement of a connection over a second one (PostgreSQL, 54.2.8 and 54.7). Never rejects: a server
 * that does not receive the request ends the statement at its timeout.
 */
export async function cancelQuery(
  connect: () => Promise<Socket>,
  host: string,
  ssl: ConnectionOptions | undefined,
  { processID, secretKey }: BackendKey,
): Promise<void> {
  let plain: Socket | undefined
  const timer = setTimeout(() => plain?.destroy(), timeoutMs)
  try {
    plain = await connect()
    const socket = ssl === undefined ? plain : await upgradeToTls(plain, host, ssl)
    socket.on('error', () => {})
    socket.end(encodeMessage(cancelRequest, processID, secretKey))
    socket.resume()
    await once(socket, 'close')
  } catch {
    // The request is sent once.
  } finally {
    clearTimeout(timer)
    plain?.destroy()
  }
}

async function upgradeToTls(socket: Socket, host: string, ssl: ConnectionOptions): Promise<Socket> {
  socket.write(encodeMessage(sslRequest))
  const [answer] = await once(socket, 'data')
  if (String(answer) !== 'S') throw new Error('the server does not speak TLS')
  const secure = connectTls({ ...ssl, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) })
  await once(secure, 'secureConnect')
  return secure
}

/** Encodes a message: its length, which includes itself, and its numbers. */
function encodeMessage(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeInt32BE(bytes.length)
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 + 4 * index)
  return bytes
}
