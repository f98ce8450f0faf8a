import { Readable } from 'node:stream'
import { OutboundError, type ResponseHeaders } from '../error.ts'
import { type CallOptions, type ClientContext, startCall } from './call.ts'
import { type ExchangeControl, runExchange } from './exchange.ts'

export interface OutboundStreamRequest extends CallOptions {
  /** Limit from the lookup to the last byte of the response, in milliseconds. */
  timeoutMs: number
  /** A longer response fails with kind `too_large`; it is never truncated silently. */
  maxResponseBytes: number
  /** Maximum time without data from the server; default 30,000 ms. Pauses of the reader do not count. */
  stallTimeoutMs?: number
}

export interface OutboundStream {
  status: number
  headers: ResponseHeaders
  /** Must be consumed or destroyed. Fails with an OutboundError. */
  body: Readable
  address: string
}

/** See `Outbound.stream`. */
export async function sendStream(client: ClientContext, request: OutboundStreamRequest): Promise<OutboundStream> {
  const { timeoutMs, maxResponseBytes, stallTimeoutMs = 30_000 } = request
  const call = startCall(client, request, timeoutMs)
  try {
    return await call.withConnection((connection) => {
      const { promise, resolve, reject } = Promise.withResolvers<OutboundStream>()
      let body: Readable | undefined
      let readBytes = 0
      const tooLargeError = () =>
        new OutboundError('too_large', `the response is longer than ${maxResponseBytes} bytes`)
      runExchange(
        connection,
        { ...call, stallTimeoutMs },
        {
          head: (status, headers, control) => {
            if (Number(headers['content-length']) > maxResponseBytes) return control.abort(tooLargeError())
            body = createBodyStream(control)
            resolve({ status, headers, body, address: connection.address })
          },
          data: (chunk, control) => {
            readBytes += chunk.length
            if (readBytes > maxResponseBytes) return control.abort(tooLargeError())
            if (body?.push(chunk) === false) control.pause()
          },
          end: () => {
            call.release()
            body?.push(null)
          },
          fail: (error) => {
            // A failure before the response head rejects the promise; a later one destroys the body.
            if (body === undefined) return reject(error)
            call.release()
            body.destroy(error.withDetails(call.progress.details()))
          },
        },
      )
      return promise
    })
  } catch (error) {
    call.release()
    throw call.addAttemptDetails(error)
  }
}

/** Creates the body stream, which applies back-pressure to the connection. */
function createBodyStream(control: ExchangeControl): Readable {
  const body = new Readable({
    read: () => control.resume(),
    destroy(error, callback) {
      if (!this.readableEnded)
        control.abort(
          new OutboundError('aborted', 'the response stream was destroyed before its end', { cause: error }),
        )
      callback(error)
    },
  })
  // The body may fail before its reader listens; an unhandled error would end the process. The reader still gets the
  // error.
  return body.on('error', () => {})
}
