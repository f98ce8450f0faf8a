import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { hopByHopHeaders } from '@wp/contracts'
import { endWithRequest } from '@wp/service'
import { edgeOnlyHeaders } from '../browser/response-headers.ts'
import { type EventStream, isEventStream, type OpenStreams } from './sse.ts'

/** The edge frames each response itself and forwards no trailers. */
const droppedHeaders: ReadonlySet<string> = new Set([...hopByHopHeaders, ...edgeOnlyHeaders])

/** Lists to which edge and service both contribute. */
const listHeaders: ReadonlySet<string> = new Set(['vary', 'ratelimit', 'ratelimit-policy'])

/**
 * A body up to this size is written in one piece with the head: as a string, which Node joins to it, at half the cost.
 */
const maxWholeBodyBytes = 16_384

interface ResponseWriterOptions {
  openStreams: OpenStreams
  /** Time after which the connection of a client that accepts no data is closed, in milliseconds. */
  idleMs: number
}

/** Writes the response of a service to the client as it arrives. Both transports use it. */
export class ResponseWriter {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #options: ResponseWriterOptions
  #eventStream: EventStream | undefined
  /** From `Content-Length`; 0 without one. */
  #contentLength = 0
  /** A short body that arrived in one chunk; written by `end`. */
  #wholeBody: Buffer | undefined
  #writeTimer: NodeJS.Timeout | undefined

  constructor(request: IncomingMessage, response: ServerResponse, options: ResponseWriterOptions) {
    this.#request = request
    this.#response = response
    this.#options = options
  }

  /** Sets status and headers. @returns true if the response is an event stream */
  writeHead(status: number, headers: IncomingHttpHeaders): boolean {
    const response = this.#response
    const connectionHeaders = connectionTokens(headers.connection)
    for (const name in headers) {
      const value = headers[name]
      if (value === undefined || droppedHeaders.has(name) || connectionHeaders?.has(name)) continue
      if (listHeaders.has(name) && response.hasHeader(name)) response.appendHeader(name, value)
      else response.setHeader(name, value)
    }
    if (status === 204) response.removeHeader('content-length')
    response.statusCode = status
    const isStream = status === 200 && this.#request.method !== 'HEAD' && isEventStream(headers)
    if (isStream) this.#eventStream = this.#options.openStreams.open(response)
    this.#contentLength = Number(headers['content-length'] ?? 0)
    // the first chunk of a body of unknown length may take long; send the head without it
    if (this.#contentLength === 0) process.nextTick(flushHead, response)
    return isStream
  }

  /**
   * Writes a chunk of the body.
   *
   * @param resume called when the client has accepted the data
   * @returns false if the client does not keep up
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

  /** Ends the response: the service has sent all of it. */
  end(): void {
    const [request, response] = [this.#request, this.#response]
    const body = this.#wholeBody?.toString('latin1')
    const isRequestOver = request.complete || request.destroyed
    const staysOpen = response.shouldKeepAlive && response.getHeader('connection') !== 'close'
    if (isRequestOver || staysOpen) return void response.end(body, 'latin1')
    // closing now would reset the connection while the client still sends, and it might not read the response
    if (body !== undefined) response.write(body, 'latin1')
    endWithRequest(response)
  }

  /** Ends an event stream that has been silent for too long. */
  endSilentStream(): void {
    this.#eventStream?.end()
    if (!this.#response.writableEnded) this.abort()
  }

  /** Aborts a response that is incomplete, so that the client does not take it for complete. */
  abort(): void {
    this.#response.destroy()
  }

  /** Call it when the response is closed. */
  onClose(): void {
    clearTimeout(this.#writeTimer)
  }
}

function flushHead(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) response.flushHeaders()
}

/** Returns the headers that a `Connection` header names; undefined for the usual values. */
function connectionTokens(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()))
}
