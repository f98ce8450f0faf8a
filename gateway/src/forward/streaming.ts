import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createProxyMiddleware, proxyEventsPlugin, type RequestHandler } from 'http-proxy-middleware'
import { isFullyReceived } from './request-body.ts'
import { ResponseWriter } from './response-writer.ts'
import { type SlowBodyPolicy, watchSlowBody } from './slow-body-timeout.ts'
import type { OpenStreams } from './sse.ts'
import { type Attempt, hasBody, type Transport } from './transport.ts'
import {
  ConnectTimeout,
  classifyError,
  slowBodyFailure,
  type UpstreamFailure,
  UpstreamTimeout,
} from './upstream-failure.ts'

export interface StreamingTransportOptions {
  openStreams: OpenStreams
  slowBody: SlowBodyPolicy
  connectMs: number
  /** How long a stream of events may be silent, in milliseconds. */
  eventsIdleMs: number
}

/**
 * A request carries its passage itself. In a map of requests, weak or not, what is long over survives young collections:
 * that took a sixth of the edge's time.
 */
const proxiedRequest = Symbol('passage')
interface TrackedRequest extends IncomingMessage {
  [proxiedRequest]?: ProxiedRequest
}

/** Carries by http-proxy-middleware: one proxy for each upstream address. */
export function createStreamingTransport(options: StreamingTransportOptions): Transport {
  const kept = createProxies(new Agent({ keepAlive: true, maxFreeSockets: 256 }))
  const fresh = createProxies(new Agent({ keepAlive: false }))
  return {
    send(request: TrackedRequest, response, attempt) {
      const passage = new ProxiedRequest(request, response, attempt, options)
      request[proxiedRequest] = passage
      passage.begin()
      void (attempt.usesNewConnection ? fresh : kept).to(attempt.target)(request, response)
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
        proxyReq: (upstream, request: TrackedRequest) => request[proxiedRequest]?.onSocket(upstream),
        proxyRes: (answer, request: TrackedRequest) => request[proxiedRequest]?.onResponse(answer),
        error: (error, request: TrackedRequest) => request[proxiedRequest]?.onError(error),
      },
    })
    proxies.set(target, made)
    return made
  }

  return { to: (target: string) => proxies.get(target) ?? make(target), close: () => agent.destroy() }
}

/** One request on its way. */
class ProxiedRequest {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #options: StreamingTransportOptions
  readonly #writer: ResponseWriter
  #upstream: ClientRequest | undefined
  /** What its connection had received before, for others. */
  #bytesBefore = 0
  /** The attempt knows how it ended. */
  #isSettled = false
  /** Nothing more is to be done; what the service's side says at its end is not news. */
  #isFinished = false
  #isEventStream = false
  #stopWatching: (() => void) | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    attempt: Attempt,
    options: StreamingTransportOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#attempt = attempt
    this.#options = options
    const { openStreams } = options
    this.#writer = new ResponseWriter(request, response, { openStreams, idleMs: attempt.idleMs })
  }

  begin(): void {
    const request = this.#request
    if (hasBody(request) && !isFullyReceived(request))
      this.#stopWatching = watchSlowBody(request, this.#options.slowBody, () => this.#fail(slowBodyFailure()))
    this.#response.on('close', () => {
      this.#isFinished = true
      this.#stopWatching?.()
      this.#writer.onClose()
      if (this.#isSettled) return
      this.#isSettled = true
      this.#attempt.onClientClosed()
    })
  }

  /** It has a socket, which may be still connecting. */
  onSocket(upstream: ClientRequest): void {
    this.#upstream = upstream
    const { socket } = upstream
    this.#bytesBefore = socket?.bytesRead ?? 0
    upstream.setTimeout(this.#attempt.idleMs)
    upstream.on('timeout', () => this.#onUpstreamSilent())
    // Node ends a connection that becomes another protocol's without a word
    upstream.once('close', () => {
      if (!this.#isSettled) this.onError(new Error('no answer'))
    })
    if (socket?.connecting !== true) return
    const limit = setTimeout(() => this.onError(new ConnectTimeout('no connection in time')), this.#options.connectMs)
    socket.once('connect', () => clearTimeout(limit)).once('close', () => clearTimeout(limit))
  }

  onResponse(answer: IncomingMessage): void {
    if (this.#isFinished) return
    const { statusCode: status = 0, headers } = answer
    if (status < 200) return void this.#fail(classifyError(new Error(`a status of ${status}`), true))
    this.#isSettled = true
    this.#attempt.onResponse()
    this.#isEventStream = this.#writer.writeHead(status, headers)
    if (this.#isEventStream) this.#upstream?.setTimeout(this.#options.eventsIdleMs)
    answer.on('data', (chunk: Buffer) => {
      if (!this.#writer.write(chunk, () => answer.resume())) answer.pause()
    })
    answer.once('end', () => this.#writer.end())
  }

  onError(error: Error): void {
    this.#fail(classifyError(error, (this.#upstream?.socket?.bytesRead ?? 0) > this.#bytesBefore))
  }

  #onUpstreamSilent(): void {
    if (this.#isEventStream) return void this.#writer.endSilentStream()
    // it waits for a body that does not come: whose arrival is watched
    if (!isFullyReceived(this.#request) && !this.#request.isPaused())
      return void this.#upstream?.setTimeout(this.#attempt.idleMs)
    this.onError(new UpstreamTimeout('no answer in time'))
  }

  /** What fails after the head of an answer was given can only cut it. */
  #fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#stopWatching?.()
    this.#abortUpstream()
    if (this.#isSettled) return void this.#writer.abort()
    this.#isSettled = true
    this.#attempt.onFailure(failure)
  }

  #abortUpstream(): void {
    const upstream = this.#upstream
    if (upstream === undefined) return
    // a pipe that breaks would stop the request, of which the rest has to come before another can
    this.#request.unpipe(upstream)
    upstream.destroy()
  }
}
