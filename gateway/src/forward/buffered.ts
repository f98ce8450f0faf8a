import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { bodyStream, bufferBody, isBufferable, isFullyReceived } from './request-body.ts'
import { ResponseWriter } from './response-writer.ts'
import { type SlowBodyPolicy, watchSlowBody } from './slow-body-timeout.ts'
import type { OpenStreams } from './sse.ts'
import { type Attempt, hasBody, type Transport } from './transport.ts'
import { ConnectTimeout, classifyError, slowBodyFailure, type UpstreamFailure } from './upstream-failure.ts'

export interface BufferedTransportOptions {
  openStreams: OpenStreams
  slowBody: SlowBodyPolicy
  /** Connections to one address at most; further requests wait for one. */
  connections: number
  connectMs: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** Requests that may wait for a connection to one address, for each connection there is. */
const maxQueuedPerConnection = 4

/** Services keep an idle connection for 65 s and say so; where one does not say, it is given up after this time. */
const keepAliveMs = 30_000
const maxKeepAliveMs = 60_000

/** Carries by undici's dispatcher: one pool of connections for each address, one request on a connection at a time. */
export function createBufferedTransport(options: BufferedTransportOptions): Transport {
  const upstreams = new Map<string, Upstream>()
  const upstreamAt = (target: string) => {
    const made = openUpstream(target, options)
    upstreams.set(target, made)
    return made
  }
  return {
    send(request, response, attempt) {
      const upstream = upstreams.get(attempt.target) ?? upstreamAt(attempt.target)
      if (upstream.inFlight >= options.connections * (1 + maxQueuedPerConnection))
        return attempt.onFailure(classifyError(new ConnectTimeout('too many requests wait for a connection'), false))
      new ProxiedRequest(request, response, attempt, upstream, options).begin()
    },
    async close() {
      await Promise.all(
        [...upstreams.values()].flatMap(({ pooled: kept, unpooled: fresh }) => [kept.destroy(), fresh.destroy()]),
      )
    },
  }
}

interface Upstream {
  pooled: Pool
  /** Opens a connection for each request. */
  unpooled: Pool
  /** The path of the address itself. */
  prefix: string
  /** Requests that are sent, or wait to be. */
  inFlight: number
}

function openUpstream(target: string, { connections, connectMs }: BufferedTransportOptions): Upstream {
  const { origin, pathname } = new URL(target)
  const shared = {
    connections,
    connectTimeout: connectMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
    allowH2: false,
  }
  return {
    pooled: new Pool(origin, { ...shared, pipelining: 1 }),
    unpooled: new Pool(origin, { ...shared, pipelining: 0 }),
    prefix: pathname.replace(/\/$/, ''),
    inFlight: 0,
  }
}

class ClientClosed extends Error {}

/** One request on its way. */
class ProxiedRequest implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #upstream: Upstream
  readonly #options: BufferedTransportOptions
  readonly #writer: ResponseWriter
  #controller: Dispatcher.DispatchController | undefined
  /** When it was given to the pool, in milliseconds since 1970; 0 before. */
  #dispatchedAt = 0
  /** A byte of an answer has come. */
  #hasResponseBytes = false
  /** The attempt knows how it ended. */
  #isSettled = false
  /** Nothing more is to be done. */
  #isFinished = false
  #stopWatching: (() => void) | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    attempt: Attempt,
    upstream: Upstream,
    options: BufferedTransportOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#attempt = attempt
    this.#upstream = upstream
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
    // the connection to the service is framed, and the service named, by undici
    delete headers['transfer-encoding']
    delete headers.host
    const { pooled: kept, unpooled: fresh, prefix } = this.#upstream
    const { idleMs, usesNewConnection: isFresh } = this.#attempt
    this.#dispatchedAt = this.#options.now()
    this.#upstream.inFlight += 1
    const path = prefix === '' ? url : prefix + url
    const pool = isFresh ? fresh : kept
    pool.dispatch({ method, path, headers, body, headersTimeout: idleMs, bodyTimeout: idleMs }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isFinished) return void controller.abort(new ClientClosed())
    // it has waited for a connection for as long as an answer may take
    if (this.#options.now() - this.#dispatchedAt > this.#attempt.idleMs)
      controller.abort(new ConnectTimeout('no connection became free in time'))
  }

  onResponseStarted(): void {
    this.#hasResponseBytes = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return // informational answers end here
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

  /** What fails after the head of an answer was given can only cut it. */
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
    if (this.#dispatchedAt !== 0) this.#upstream.inFlight -= 1
  }
}
