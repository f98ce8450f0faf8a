import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const checksPerWindow = 10

const maxBufferedBytes = 65_536

/** Returns true for a short body: buffered, it costs one write, and no service waits for a slow client. */
export const isBufferable = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= maxBufferedBytes

/** Returns true if the whole body has arrived. That can be so before the parser reports the request as complete. */
export const isFullyReceived = (request: IncomingMessage): boolean =>
  request.complete || request.readableLength === Number(request.headers['content-length'])

/**
 * Buffers a body with `Content-Length`.
 *
 * @param onBody called at once if the body has arrived; never called if the connection breaks, which closes the
 *   response
 */
export function bufferBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length'])
  if (request.readableLength === length) return void onBody(request.read())
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => onBody(Buffer.concat(chunks, length)))
}

/**
 * Returns the body as a stream that a client library may destroy, for example after an early response. The request and
 * the connection of the client are not destroyed with it: the response is still to be sent there.
 */
export function bodyStream(request: IncomingMessage): Readable {
  const body = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      request.off('data', push).off('end', finish).off('close', abort)
      request.resume() // discards the rest, which has to arrive before the connection can end
      done(error)
    },
  })
  function push(chunk: Buffer): void {
    if (!body.push(chunk)) request.pause()
  }
  function finish(): void {
    body.push(null)
  }
  function abort(): void {
    if (!request.complete) body.destroy(new Error('the client closed the connection'))
  }
  body.on('error', () => undefined) // undici reports it to its handler
  request.on('data', push).once('end', finish).once('close', abort)
  return body
}

/** Minimum speed of a request body. */
export interface SlowBodyPolicy {
  /** The speed is measured over consecutive windows of this length. */
  windowMs: number
  bytesPerSecond: number
}

/**
 * Watches a body that is still arriving. A client that stalls or drips occupies a connection to the edge and one to a
 * service at almost no cost. Time in which the edge does not read, because the service does not, does not count.
 *
 * @param onTooSlow called once if the body falls below the minimum speed
 * @returns a function that stops watching
 */
export function watchSlowBody(
  request: IncomingMessage,
  { windowMs, bytesPerSecond }: SlowBodyPolicy,
  onTooSlow: () => void,
): () => void {
  const { socket } = request
  const minBytes = (bytesPerSecond * windowMs) / 1000
  let bytesBefore = socket.bytesRead
  let checks = 0

  function check(): void {
    if (request.complete || request.destroyed) return void stop()
    if (request.isPaused()) return
    checks += 1
    if (checks < checksPerWindow) return
    const received = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    checks = 0
    if (received >= minBytes) return
    stop()
    onTooSlow()
  }

  const timer = setInterval(check, windowMs / checksPerWindow)
  const stop = () => clearInterval(timer)
  return stop
}
