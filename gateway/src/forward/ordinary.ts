import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { Answer } from './answer.ts'
import { type ArrivalPolicy, watchArrival } from './arrival.ts'
import { gather, isAllHere, isShort, streamOf } from './body.ts'
import { type Attempt, type Carrier, hasBody } from './carrier.ts'
import { ConnectTimeout, type Failure, failureOf, tooSlow } from './failure.ts'
import type { OpenStreams } from './sse.ts'

export interface OrdinaryOptions {
  openStreams: OpenStreams
  arrival: ArrivalPolicy
  /** Connections to one address at most; further requests wait for one. */
  connections: number
  connectMs: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** Requests that may wait for a connection to one address, for each connection there is. */
const waitingPerConnection = 4

/** Services keep an idle connection for 65 s and say so; where one does not say, it is given up after this time. */
const keepAliveMs = 30_000
const longestKeepAliveMs = 60_000

/** Carries by undici's dispatcher: one pool of connections for each address, one request on a connection at a time. */
export function createOrdinary(options: OrdinaryOptions): Carrier {
  const upstreams = new Map<string, Upstream>()
  const upstreamAt = (target: string) => {
    const made = openUpstream(target, options)
    upstreams.set(target, made)
    return made
  }
  return {
    carry(request, response, attempt) {
      const upstream = upstreams.get(attempt.target) ?? upstreamAt(attempt.target)
      if (upstream.underWay >= options.connections * (1 + waitingPerConnection))
        return attempt.failed(failureOf(new ConnectTimeout('too many requests wait for a connection'), false))
      new Exchange(request, response, attempt, upstream, options).begin()
    },
    async close() {
      await Promise.all([...upstreams.values()].flatMap(({ kept, fresh }) => [kept.destroy(), fresh.destroy()]))
    },
  }
}

interface Upstream {
  kept: Pool
  /** Opens a connection for each request. */
  fresh: Pool
  /** The path of the address itself. */
  prefix: string
  /** Requests that are sent, or wait to be. */
  underWay: number
}

function openUpstream(target: string, { connections, connectMs }: OrdinaryOptions): Upstream {
  const { origin, pathname } = new URL(target)
  const shared = {
    connections,
    connectTimeout: connectMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: longestKeepAliveMs,
    allowH2: false,
  }
  return {
    kept: new Pool(origin, { ...shared, pipelining: 1 }),
    fresh: new Pool(origin, { ...shared, pipelining: 0 }),
    prefix: pathname.replace(/\/$/, ''),
    underWay: 0,
  }
}

class Gone extends Error {}

/** One request on its way. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #upstream: Upstream
  readonly #options: OrdinaryOptions
  readonly #answer: Answer
  #controller: Dispatcher.DispatchController | undefined
  /** When it was given to the pool, in milliseconds since 1970; 0 before. */
  #dispatchedAt = 0
  /** A byte of an answer has come. */
  #hasBegun = false
  /** The attempt knows how it ended. */
  #isSettled = false
  /** Nothing more is to be done. */
  #isOver = false
  #stopWatching: (() => void) | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    attempt: Attempt,
    upstream: Upstream,
    options: OrdinaryOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#attempt = attempt
    this.#upstream = upstream
    this.#options = options
    const { openStreams } = options
    this.#answer = new Answer(request, response, { openStreams, idleMs: attempt.idleMs })
  }

  begin(): void {
    const request = this.#request
    this.#response.on('close', () => this.#clientGone())
    if (!hasBody(request)) return void this.#dispatch(null)
    if (!isAllHere(request))
      this.#stopWatching = watchArrival(request, this.#options.arrival, () => this.#fail(tooSlow()))
    if (isShort(request)) gather(request, (body) => this.#dispatch(body))
    else this.#dispatch(streamOf(request))
  }

  #dispatch(body: Buffer | Readable | null): void {
    if (this.#isOver) return
    const { method = '', url = '/', headers } = this.#request
    // the connection to the service is framed, and the service named, by undici
    delete headers['transfer-encoding']
    delete headers.host
    const { kept, fresh, prefix } = this.#upstream
    const { idleMs, isFresh } = this.#attempt
    this.#dispatchedAt = this.#options.now()
    this.#upstream.underWay += 1
    const path = prefix === '' ? url : prefix + url
    const pool = isFresh ? fresh : kept
    pool.dispatch({ method, path, headers, body, headersTimeout: idleMs, bodyTimeout: idleMs }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) return void controller.abort(new Gone())
    // it has waited for a connection for as long as an answer may take
    if (this.#options.now() - this.#dispatchedAt > this.#attempt.idleMs)
      controller.abort(new ConnectTimeout('no connection became free in time'))
  }

  onResponseStarted(): void {
    this.#hasBegun = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return // informational answers end here
    this.#isSettled = true
    this.#attempt.answered()
    this.#answer.begin(status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#answer.write(chunk, () => controller.resume())) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#finish()
    this.#answer.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#isOver) this.#fail(failureOf(error, this.#hasBegun))
  }

  /** What fails after the head of an answer was given can only cut it. */
  #fail(failure: Failure): void {
    this.#leave()
    if (this.#isSettled) return void this.#answer.cut()
    this.#isSettled = true
    this.#attempt.failed(failure)
  }

  #clientGone(): void {
    this.#answer.over()
    this.#leave()
    if (this.#isSettled) return
    this.#isSettled = true
    this.#attempt.left()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#finish()
    this.#controller?.abort(new Gone())
  }

  #finish(): void {
    this.#isOver = true
    this.#stopWatching?.()
    if (this.#dispatchedAt !== 0) this.#upstream.underWay -= 1
  }
}
