import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { edgeOnlyHeaders } from '../browser/response-headers.ts'
import { type EventStream, isEventStream, type OpenStreams } from './sse.ts'

/**
 * Headers that end at each hop (RFC 9110 section 7.6.1). How an answer is framed is decided anew for each client, and
 * trailers are not passed on, so nobody is told of any.
 */
const ownHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const droppedHeaders = new Set([...ownHop, ...edgeOnlyHeaders])

/** How long the rest of a request may go on arriving after its answer has ended, in milliseconds. */
const lingerMs = 2000

/** A body up to this size is written in one piece with its head: as a string, which Node joins to it, at half the cost. */
const maxWholeBodyBytes = 16_384

interface ResponseWriterOptions {
  openStreams: OpenStreams
  /** How long a client may take nothing before it is thought gone, in milliseconds. */
  idleMs: number
}

/** Gives the answer of a service to a client, as it comes. Both carriers do it by this. */
export class ResponseWriter {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #options: ResponseWriterOptions
  #eventStream: EventStream | undefined
  /** From `Content-Length`; 0 when there is none. */
  #contentLength = 0
  /** A short body that came in one piece. */
  #wholeBody: Buffer | undefined
  #writeTimer: NodeJS.Timeout | undefined

  constructor(request: IncomingMessage, response: ServerResponse, options: ResponseWriterOptions) {
    this.#request = request
    this.#response = response
    this.#options = options
  }

  /** @returns whether the answer is a stream of events */
  writeHead(status: number, headers: IncomingHttpHeaders): boolean {
    const response = this.#response
    const nominated = connectionTokens(headers.connection)
    for (const name in headers) {
      const value = headers[name]
      if (value === undefined || droppedHeaders.has(name) || nominated?.has(name)) continue
      if (name === 'vary' && response.hasHeader(name)) response.appendHeader(name, value)
      else response.setHeader(name, value)
    }
    if (status === 204) response.removeHeader('content-length')
    response.statusCode = status
    const isStream = status === 200 && this.#request.method !== 'HEAD' && isEventStream(headers)
    if (isStream) this.#eventStream = this.#options.openStreams.open(response)
    this.#contentLength = Number(headers['content-length'] ?? 0)
    // a body of unknown length may be long in coming; the head does not wait for it
    if (this.#contentLength === 0) process.nextTick(flush, response)
    return isStream
  }

  /**
   * @param resume called when the client has taken what it was given
   * @returns false when the client does not keep up
   */
  write(chunk: Buffer, resume: () => void): boolean {
    const response = this.#response
    if (chunk.length === this.#contentLength && chunk.length <= maxWholeBodyBytes) {
      this.#wholeBody = chunk
      return true
    }
    if (this.#eventStream?.write(chunk) ?? response.write(chunk)) return true
    this.#writeTimer = setTimeout(() => response.destroy(), this.#options.idleMs)
    response.once('drain', () => {
      clearTimeout(this.#writeTimer)
      resume()
    })
    return false
  }

  /** The service has sent all of it. */
  end(): void {
    const [request, response] = [this.#request, this.#response]
    const whole = this.#wholeBody?.toString('latin1')
    if (request.complete || request.destroyed) return void response.end(whole, 'latin1')
    // a connection that is to end would be closed under one who still sends, who may then read a reset instead of the answer
    if (response.shouldKeepAlive && response.getHeader('connection') !== 'close')
      return void response.end(whole, 'latin1')
    if (whole !== undefined) response.write(whole, 'latin1')
    const cut = setTimeout(() => response.end(() => request.destroy()), lingerMs).unref()
    const settle = () => {
      clearTimeout(cut)
      response.end()
    }
    request.once('end', settle).once('close', settle)
  }

  /** A stream of events has been silent for too long. */
  endSilentStream(): void {
    this.#eventStream?.end()
    if (!this.#response.writableEnded) this.abort()
  }

  /** The answer broke off: the client must not take a part for the whole. */
  abort(): void {
    this.#response.destroy()
  }

  /** The response is closed. */
  onClose(): void {
    clearTimeout(this.#writeTimer)
  }
}

function flush(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) response.flushHeaders()
}

function connectionTokens(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()))
}
