import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ReceivedRequest } from './request-recorder.ts'

/** What a behaviour may do its worst with. */
export type ResponderContext = {
  request: ReceivedRequest
  response: ServerResponse
  /** The TCP connection under TLS. */
  socket: Socket
}

/** How a receiver answers one request. It is called when the whole request has been read. */
export type Responder = (exchange: ResponderContext) => void | Promise<void>

type ResponseOptions = { headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }

/** Answers with this status; `delayMs` before the first byte. */
export function respond(status = 200, { headers = {}, body = '', delayMs = 0 }: ResponseOptions = {}): Responder {
  return async ({ response }) => {
    if (delayMs > 0) await pause(delayMs, response)
    response.writeHead(status, headers).end(body)
  }
}

/** Reads the request and never answers. */
export const neverRespond = (): Responder => () => {}

/** Answers 200 and then a byte of body at a time, for ever. */
export function sendSlowBody({ everyMs = 50 } = {}): Responder {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
    const timer = setInterval(() => response.write('.'), everyMs)
    response.once('close', () => clearInterval(timer))
  }
}

/** Resets the connection (RST): before any answer, or in the middle of one. */
export function resetConnection({ midway = false } = {}): Responder {
  return ({ response, socket }) => {
    if (!midway) return void socket.resetAndDestroy()
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the first part', () => void socket.resetAndDestroy())
  }
}

/** Promises 1,000 bytes, sends a few, and closes. */
export function truncateResponse(): Responder {
  return ({ response }) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the first part', () => response.destroy())
  }
}

/** Sends something that is not HTTP. */
export function sendMalformedResponse(): Responder {
  return ({ response }) => void response.socket?.end('\u0000\u0001 this is no HTTP\r\n\r\n')
}

/** An answer of about 1 kB a megabyte that says it is gzip and inflates to `megabytes`. */
export function sendGzipBomb({ megabytes = 1024 } = {}): Responder {
  return ({ response }) => {
    const tenMegabytes = gzipSync(Buffer.alloc(10 * 1024 ** 2))
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    // RFC 1952, 2.2: members that follow one another inflate to one text.
    response.end(Buffer.concat(Array<Buffer>(Math.ceil(megabytes / 10)).fill(tenMegabytes)))
  }
}

/** A body of this size that is only that: long. */
export function sendLargeBody({ megabytes = 64 } = {}): Responder {
  return ({ response }) => void response.writeHead(200).end(Buffer.alloc(megabytes * 1024 ** 2, 'x'))
}

/** Sends the caller elsewhere; by default to where clouds keep a machine's credentials. */
export function redirect(location = 'http://169.254.169.254/latest/meta-data/', status = 302): Responder {
  return respond(status, { headers: { location } })
}

/** 429 or 503 with `Retry-After`: seconds, or an HTTP date. */
export function respondRetryAfter(status: 429 | 503, retryAfter: number | Date): Responder {
  const value = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter)
  return respond(status, { headers: { 'retry-after': value } })
}

/** Behaves in one way for the first attempts (see `Received.attempt`) and then in another. */
export function failFirst(
  attempts: number,
  first: Responder = respond(500),
  then: Responder = respond(200),
): Responder {
  return (exchange) => (exchange.request.attempt <= attempts ? first : then)(exchange)
}

/** Answers 200 under a header of this size. */
export function sendOversizedHeaders({ kilobytes = 1024 } = {}): Responder {
  return respond(200, { headers: { 'x-huge': 'x'.repeat(kilobytes * 1024) } })
}

function pause(delayMs: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
