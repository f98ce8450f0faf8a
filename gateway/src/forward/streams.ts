import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createProxyMiddleware, proxyEventsPlugin, type RequestHandler } from 'http-proxy-middleware'
import { Answer } from './answer.ts'
import { type ArrivalPolicy, watchArrival } from './arrival.ts'
import { isAllHere } from './body.ts'
import { type Attempt, type Carrier, hasBody } from './carrier.ts'
import { ConnectTimeout, type Failure, failureOf, tooSlow, UpstreamTimeout } from './failure.ts'
import type { OpenStreams } from './sse.ts'

export interface StreamsOptions {
  openStreams: OpenStreams
  arrival: ArrivalPolicy
  connectMs: number
  /** How long a stream of events may be silent, in milliseconds. */
  eventsIdleMs: number
}

/**
 * A request carries its passage itself. In a map of requests, weak or not, what is long over survives young collections:
 * that took a sixth of the edge's time.
 */
const ownPassage = Symbol('passage')
interface Carried extends IncomingMessage {
  [ownPassage]?: Passage
}

/** Carries by http-proxy-middleware: one proxy for each upstream address. */
export function createStreams(options: StreamsOptions): Carrier {
  const kept = createProxies(new Agent({ keepAlive: true, maxFreeSockets: 256 }))
  const fresh = createProxies(new Agent({ keepAlive: false }))
  return {
    carry(request: Carried, response, attempt) {
      const passage = new Passage(request, response, attempt, options)
      request[ownPassage] = passage
      passage.begin()
      void (attempt.isFresh ? fresh : kept).to(attempt.target)(request, response)
    },
    async close() {
      kept.close()
      fresh.close()
    },
  }
}

/** @param agent keeps the connections to services, which say for how long */
function createProxies(agent: Agent) {
  const proxies = new Map<string, RequestHandler>()

  function make(target: string): RequestHandler {
    const made = createProxyMiddleware({
      target: new URL(target),
      // Node's agents speak one protocol each; for the other the proxy has its own
      ...(target.startsWith('http:') ? { agent } : {}),
      // a service is called by its own name, never by the one a client wrote
      changeOrigin: true,
      xfwd: false,
      // an answer is given in the way of both carriers
      selfHandleResponse: true,
      // the default plugins also write a log line and a debug trace for every request
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request: Carried) => request[ownPassage]?.connected(upstream),
        proxyRes: (answer, request: Carried) => request[ownPassage]?.answered(answer),
        error: (error, request: Carried) => request[ownPassage]?.failed(error),
      },
    })
    proxies.set(target, made)
    return made
  }

  return { to: (target: string) => proxies.get(target) ?? make(target), close: () => agent.destroy() }
}

/** One request on its way. */
class Passage {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #options: StreamsOptions
  readonly #answer: Answer
  #upstream: ClientRequest | undefined
  /** What its connection had received before, for others. */
  #bytesBefore = 0
  /** The attempt knows how it ended. */
  #isSettled = false
  /** Nothing more is to be done; what the service's side says at its end is not news. */
  #isOver = false
  #isEvents = false
  #stopWatching: (() => void) | undefined

  constructor(request: IncomingMessage, response: ServerResponse, attempt: Attempt, options: StreamsOptions) {
    this.#request = request
    this.#response = response
    this.#attempt = attempt
    this.#options = options
    const { openStreams } = options
    this.#answer = new Answer(request, response, { openStreams, idleMs: attempt.idleMs })
  }

  begin(): void {
    const request = this.#request
    if (hasBody(request) && !isAllHere(request))
      this.#stopWatching = watchArrival(request, this.#options.arrival, () => this.#fail(tooSlow()))
    this.#response.on('close', () => {
      this.#isOver = true
      this.#stopWatching?.()
      this.#answer.over()
      if (this.#isSettled) return
      this.#isSettled = true
      this.#attempt.left()
    })
  }

  /** It has a socket, which may be still connecting. */
  connected(upstream: ClientRequest): void {
    this.#upstream = upstream
    const { socket } = upstream
    this.#bytesBefore = socket?.bytesRead ?? 0
    upstream.setTimeout(this.#attempt.idleMs)
    upstream.on('timeout', () => this.#silent())
    // Node ends a connection that becomes another protocol's without a word
    upstream.once('close', () => {
      if (!this.#isSettled) this.failed(new Error('no answer'))
    })
    if (socket?.connecting !== true) return
    const limit = setTimeout(() => this.failed(new ConnectTimeout('no connection in time')), this.#options.connectMs)
    socket.once('connect', () => clearTimeout(limit)).once('close', () => clearTimeout(limit))
  }

  answered(answer: IncomingMessage): void {
    if (this.#isOver) return
    const { statusCode: status = 0, headers } = answer
    if (status < 200) return void this.#fail(failureOf(new Error(`a status of ${status}`), true))
    this.#isSettled = true
    this.#attempt.answered()
    this.#isEvents = this.#answer.begin(status, headers)
    if (this.#isEvents) this.#upstream?.setTimeout(this.#options.eventsIdleMs)
    answer.on('data', (chunk: Buffer) => {
      if (!this.#answer.write(chunk, () => answer.resume())) answer.pause()
    })
    answer.once('end', () => this.#answer.end())
  }

  failed(error: Error): void {
    this.#fail(failureOf(error, (this.#upstream?.socket?.bytesRead ?? 0) > this.#bytesBefore))
  }

  #silent(): void {
    if (this.#isEvents) return void this.#answer.expire()
    // it waits for a body that does not come: whose arrival is watched
    if (!isAllHere(this.#request) && !this.#request.isPaused())
      return void this.#upstream?.setTimeout(this.#attempt.idleMs)
    this.failed(new UpstreamTimeout('no answer in time'))
  }

  /** What fails after the head of an answer was given can only cut it. */
  #fail(failure: Failure): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopWatching?.()
    this.#leave()
    if (this.#isSettled) return void this.#answer.cut()
    this.#isSettled = true
    this.#attempt.failed(failure)
  }

  #leave(): void {
    const upstream = this.#upstream
    if (upstream === undefined) return
    // a pipe that breaks would stop the request, of which the rest has to come before another can
    this.#request.unpipe(upstream)
    upstream.destroy()
  }
}
