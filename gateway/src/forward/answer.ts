import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { notForServices } from '../browser/answer-headers.ts'
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
const dropped = new Set([...ownHop, ...notForServices])

/** How long the rest of a request may go on arriving after its answer has ended, in milliseconds. */
const lingerMs = 2000

/** A body up to this size is written in one piece with its head: as a string, which Node joins to it, at half the cost. */
const shortBytes = 16_384

interface AnswerOptions {
  openStreams: OpenStreams
  /** How long a client may take nothing before it is thought gone, in milliseconds. */
  idleMs: number
}

/** Gives the answer of a service to a client, as it comes. Both carriers do it by this. */
export class Answer {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #options: AnswerOptions
  #events: EventStream | undefined
  /** From `Content-Length`; 0 when there is none. */
  #length = 0
  /** A short body that came in one piece. */
  #whole: Buffer | undefined
  #patience: NodeJS.Timeout | undefined

  constructor(request: IncomingMessage, response: ServerResponse, options: AnswerOptions) {
    this.#request = request
    this.#response = response
    this.#options = options
  }

  /** @returns whether the answer is a stream of events */
  begin(status: number, headers: IncomingHttpHeaders): boolean {
    const response = this.#response
    const nominated = namedBy(headers.connection)
    for (const name in headers) {
      const value = headers[name]
      if (value === undefined || dropped.has(name) || nominated?.has(name)) continue
      if (name === 'vary' && response.hasHeader(name)) response.appendHeader(name, value)
      else response.setHeader(name, value)
    }
    if (status === 204) response.removeHeader('content-length')
    response.statusCode = status
    const isStream = status === 200 && this.#request.method !== 'HEAD' && isEventStream(headers)
    if (isStream) this.#events = this.#options.openStreams.open(response)
    this.#length = Number(headers['content-length'] ?? 0)
    // a body of unknown length may be long in coming; the head does not wait for it
    if (this.#length === 0) process.nextTick(flush, response)
    return isStream
  }

  /**
   * @param resume called when the client has taken what it was given
   * @returns false when the client does not keep up
   */
  write(chunk: Buffer, resume: () => void): boolean {
    const response = this.#response
    if (chunk.length === this.#length && chunk.length <= shortBytes) {
      this.#whole = chunk
      return true
    }
    if (this.#events?.write(chunk) ?? response.write(chunk)) return true
    this.#patience = setTimeout(() => response.destroy(), this.#options.idleMs)
    response.once('drain', () => {
      clearTimeout(this.#patience)
      resume()
    })
    return false
  }

  /** The service has sent all of it. */
  end(): void {
    const [request, response] = [this.#request, this.#response]
    const whole = this.#whole?.toString('latin1')
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
  expire(): void {
    this.#events?.end()
    if (!this.#response.writableEnded) this.cut()
  }

  /** The answer broke off: the client must not take a part for the whole. */
  cut(): void {
    this.#response.destroy()
  }

  /** The response is closed. */
  over(): void {
    clearTimeout(this.#patience)
  }
}

function flush(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) response.flushHeaders()
}

function namedBy(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()))
}
