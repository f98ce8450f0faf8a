import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ReceivedRequest } from './request-recorder.ts'

/** The request, the response and the connection that a responder uses. */
export type ResponderContext = {
  request: ReceivedRequest
  response: ServerResponse
  /** The TCP connection, also under TLS. */
  socket: Socket
}

/** Responds to one request. Called after the whole request has been read. */
export type Responder = (exchange: ResponderContext) => void | Promise<void>

type ResponseOptions = { headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }

/** Responds with a status; `delayMs` before the first byte. */
export function respond(status = 200, { headers = {}, body = '', delayMs = 0 }: ResponseOptions = {}): Responder {
  return async ({ response }) => {
    if (delayMs > 0) await pause(delayMs, response)
    response.writeHead(status, headers).end(body)
  }
}

/** Responds with 200 after interim responses (RFC 9110 section 15.2), which nothing asked for. */
export function sendInterimResponses(): Responder {
  return ({ response }) => {
    response.writeContinue()
    response.writeProcessing()
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeContinue()
    response.end()
  }
}

/** Reads the request and never responds. */
export const neverRespond = (): Responder => () => {}

/** Responds with 200 and an endless body, one byte at a time. */
export function sendSlowBody({ everyMs = 50 } = {}): Responder {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
    const timer = setInterval(() => response.write('.'), everyMs)
    response.once('close', () => clearInterval(timer))
  }
}

/** Resets the connection (RST), before the response or during its body. */
export function resetConnection({ midway = false } = {}): Responder {
  return ({ response, socket }) => {
    if (!midway) return void socket.resetAndDestroy()
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the first part', () => void socket.resetAndDestroy())
  }
}

/** Announces 1,000 bytes, sends fewer, and closes the connection. */
export function truncateResponse(): Responder {
  return ({ response }) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the first part', () => response.destroy())
  }
}

/** Sends bytes that are not HTTP. */
export function sendMalformedResponse(): Responder {
  return ({ response }) => void response.socket?.end('\u0000\u0001 this is no HTTP\r\n\r\n')
}

/** Responds with a gzip body of about 1 kB per megabyte that decompresses to `megabytes`. */
export function sendGzipBomb({ megabytes = 1024 } = {}): Responder {
  return ({ response }) => {
    const tenMegabytes = gzipSync(Buffer.alloc(10 * 1024 ** 2))
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    // RFC 1952, 2.2: concatenated members decompress to one text.
    response.end(Buffer.concat(Array<Buffer>(Math.ceil(megabytes / 10)).fill(tenMegabytes)))
  }
}

/** Responds with 200 and a body of this size. */
export function sendLargeBody({ megabytes = 64 } = {}): Responder {
  return ({ response }) => void response.writeHead(200).end(Buffer.alloc(megabytes * 1024 ** 2, 'x'))
}

/** Responds with a redirect, by default to the metadata service of cloud providers. */
export function redirect(location = 'http://169.254.169.254/latest/meta-data/', status = 302): Responder {
  return respond(status, { headers: { location } })
}

/** Responds with 429 or 503 and `Retry-After`, in seconds or as an HTTP date. */
export function respondRetryAfter(status: 429 | 503, retryAfter: number | Date): Responder {
  const value = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter)
  return respond(status, { headers: { 'retry-after': value } })
}

/** Uses one responder for the first attempts (see `ReceivedRequest.attempt`) and another for later ones. */
export function failFirst(
  attempts: number,
  first: Responder = respond(500),
  then: Responder = respond(200),
): Responder {
  return (exchange) => (exchange.request.attempt <= attempts ? first : then)(exchange)
}

/** Responds with 200 and a header of this size. */
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
