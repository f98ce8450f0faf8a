import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** The longest body that is gathered before it is sent on. */
const maxBufferedBytes = 65_536

/** Whether a body is so short that it is gathered first: then it costs one write, and no service waits for a slow client. */
export const isBufferable = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= maxBufferedBytes

/** Whether nothing of a body is still to come: it may be so before the parser has said that the request is complete. */
export const isFullyReceived = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength === Number(request.headers['content-length'])

/**
 * Gathers a short body. Nothing is called when it breaks off: then its response closes.
 * @param then called at once when all of it is here
 */
export function bufferBody(request: IncomingMessage, then: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length'])
  if (request.readableLength === length) return void then(request.read())
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => then(Buffer.concat(chunks, length)))
}

/**
 * A long body, as it arrives. Whatever a client library does to it when an answer comes early, the request itself, and
 * with it the connection of the client, is left alone: the answer is still to be sent there.
 */
export function bodyStream(request: IncomingMessage): Readable {
  const body = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      request.off('data', take).off('end', finish).off('close', breakOff)
      request.resume() // what still comes is for nobody, but it has to come before its connection can end
      done(error)
    },
  })
  function take(chunk: Buffer): void {
    if (!body.push(chunk)) request.pause()
  }
  function finish(): void {
    body.push(null)
  }
  function breakOff(): void {
    if (!request.complete) body.destroy(new Error('the client broke off'))
  }
  body.on('error', () => undefined) // undici tells of it in its own way
  request.on('data', take).once('end', finish).once('close', breakOff)
  return body
}
