import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** Code of a cancel request (PostgreSQL, "Message Formats"). */
const cancelRequest = 80_877_102
const timeoutMs = 5_000

/**
 * Cancels the running statement of a connection when a signal is aborted.
 * @returns a function that stops watching the signal, and returns true if a cancel request was sent: it may still
 *   arrive later, so the connection must not be used again
 */
export function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): () => boolean {
  let isSent = false
  const cancel = () => {
    isSent = true
    sendCancelRequest(client)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  return () => {
    signal?.removeEventListener('abort', cancel)
    return isSent
  }
}

/** Sends one cancel request over a connection of its own. Without it, the statement ends at its timeout. */
function sendCancelRequest(client: PoolClient): void {
  const { host, port } = client
  // Present at run time, but not declared: what the server sent after login to identify the session.
  const key = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')].map(Number)
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.resume()
  socket.end(encodeMessage(cancelRequest, ...key))
}

/** Encodes a message: its length, which includes itself, and its numbers. */
function encodeMessage(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeInt32BE(bytes.length)
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number | 0, 4 + 4 * index)
  return bytes
}
