import { Readable } from 'node:stream'
import { OutboundError, type ResponseHeaders } from '../error.ts'
import { type CallOptions, type ClientContext, startCall } from './call.ts'
import { type ExchangeControl, runExchange } from './exchange.ts'

export interface OutboundStreamRequest extends CallOptions {
  /** For everything from the lookup to the last byte of the answer. */
  timeoutMs: number
  /** An answer that is longer fails with kind `too_large`; it is never silently cut. */
  maxResponseBytes: number
  /** The longest silence while the head or more of the body is awaited; 30,000 by default. Pauses of the reader don't count. */
  stallTimeoutMs?: number
}

export interface OutboundStream {
  status: number
  headers: ResponseHeaders
  /** Must be read to its end or destroyed. Fails with an OutboundError. */
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
      const tooLargeError = () => new OutboundError('too_large', `the answer is longer than ${maxResponseBytes} bytes`)
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
            // Before the head the promise carries the failure, after it the body does.
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

/** A reader that keeps up gets the chunks as they come; one that doesn't makes the sender wait. */
function createBodyStream(control: ExchangeControl): Readable {
  const body = new Readable({
    read: () => control.resume(),
    destroy(error, callback) {
      if (!this.readableEnded)
        control.abort(new OutboundError('aborted', 'the reader of the answer went away', { cause: error }))
      callback(error)
    },
  })
  // It may fail before its reader has come to listen, who finds the error on it then; nobody listening would end the process.
  return body.on('error', () => {})
}
