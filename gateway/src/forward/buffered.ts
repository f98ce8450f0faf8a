import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import {
  bodyStream,
  bufferBody,
  isBufferable,
  isFullyReceived,
  type SlowBodyPolicy,
  watchSlowBody,
} from './request-body.ts'
import { ResponseWriter } from './response-writer.ts'
import type { OpenStreams } from './sse.ts'
import {
  type Attempt,
  ConnectTimeout,
  classifyError,
  hasBody,
  slowBodyFailure,
  type Transport,
  type UpstreamFailure,
} from './transport.ts'
import { createUpstreamPool, type UpstreamPool, type UpstreamPoolOptions } from './upstream-pool.ts'

export interface BufferedTransportOptions extends UpstreamPoolOptions {
  openStreams: OpenStreams
  slowBody: SlowBodyPolicy
  /** Milliseconds since 1970. */
  now: () => number
}

/** Requests that may wait for a connection to one address, per connection. */
const maxQueuedPerConnection = 4

/** Creates the transport over undici: one connection pool per address, one request per connection at a time. */
export function createBufferedTransport(options: BufferedTransportOptions): Transport {
  const pools = new Map<string, UpstreamPool>()
  const maxInFlight = options.connections * (1 + maxQueuedPerConnection)

  function poolOf(target: string): UpstreamPool {
    const pool = pools.get(target) ?? createUpstreamPool(target, options)
    pools.set(target, pool)
    return pool
  }

  return {
    send(request, response, attempt) {
      const pool = poolOf(attempt.target)
      if (pool.inFlight >= maxInFlight)
        return attempt.onFailure(classifyError(new ConnectTimeout('too many requests wait for a connection'), false))
      new BufferedRequest(request, response, attempt, pool, options).begin()
    },
    async close() {
      await Promise.all([...pools.values()].flatMap(({ pooled, unpooled }) => [pooled.destroy(), unpooled.destroy()]))
    },
  }
}

class ClientClosed extends Error {}

/** One attempt to proxy a request, as the handler of undici's dispatcher. */
class BufferedRequest implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #pool: UpstreamPool
  readonly #options: BufferedTransportOptions
  readonly #writer: ResponseWriter
  #controller: Dispatcher.DispatchController | undefined
  /** Time it was passed to the pool, in milliseconds since 1970; 0 before. */
  #dispatchedAt = 0
  #hasResponseBytes = false
  /** The result has been reported to the attempt. */
  #isSettled = false
  /** Nothing is left to do; later events of the upstream are ignored. */
  #isFinished = false
  #stopWatching: (() => void) | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    attempt: Attempt,
    pool: UpstreamPool,
    options: BufferedTransportOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#attempt = attempt
    this.#pool = pool
    this.#options = options
    const { openStreams } = options
    this.#writer = new ResponseWriter(request, response, { openStreams, idleMs: attempt.idleMs })
  }

  begin(): void {
    const request = this.#request
    this.#response.on('close', () => this.#onClientClosed())
    if (!hasBody(request)) return void this.#dispatch(null)
    if (!isFullyReceived(request))
      this.#stopWatching = watchSlowBody(request, this.#options.slowBody, () => this.#fail(slowBodyFailure()))
    if (isBufferable(request)) bufferBody(request, (body) => this.#dispatch(body))
    else this.#dispatch(bodyStream(request))
  }

  #dispatch(body: Buffer | Readable | null): void {
    if (this.#isFinished) return
    const { method = '', url = '/', headers } = this.#request
    // undici sets the framing and the host of the request to the service
    delete headers['transfer-encoding']
    delete headers.host
    const { pooled, unpooled, prefix } = this.#pool
    const { idleMs, usesNewConnection } = this.#attempt
    this.#dispatchedAt = this.#options.now()
    this.#pool.inFlight += 1
    const path = prefix === '' ? url : prefix + url
    const pool = usesNewConnection ? unpooled : pooled
    pool.dispatch({ method, path, headers, body, headersTimeout: idleMs, bodyTimeout: idleMs }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isFinished) return void controller.abort(new ClientClosed())
    // it has waited for a connection as long as it may wait for a response
    if (this.#options.now() - this.#dispatchedAt > this.#attempt.idleMs)
      controller.abort(new ConnectTimeout('no connection became available in time'))
  }

  onResponseStarted(): void {
    this.#hasResponseBytes = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return // informational responses are not forwarded
    this.#isSettled = true
    this.#attempt.onResponse()
    this.#writer.writeHead(status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#writer.write(chunk, () => controller.resume())) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#isFinished) return
    this.#finish()
    this.#writer.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#isFinished) this.#fail(classifyError(error, this.#hasResponseBytes))
  }

  /** After the head of the response was sent, a failure can only abort the response. */
  #fail(failure: UpstreamFailure): void {
    this.#abort()
    if (this.#isSettled) return void this.#writer.abort()
    this.#isSettled = true
    this.#attempt.onFailure(failure)
  }

  #onClientClosed(): void {
    this.#writer.onClose()
    this.#abort()
    if (this.#isSettled) return
    this.#isSettled = true
    this.#attempt.onClientClosed()
  }

  #abort(): void {
    if (this.#isFinished) return
    this.#finish()
    this.#controller?.abort(new ClientClosed())
  }

  #finish(): void {
    this.#isFinished = true
    this.#stopWatching?.()
    if (this.#dispatchedAt !== 0) this.#pool.inFlight -= 1
  }
}
