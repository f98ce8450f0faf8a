import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createProxyMiddleware, proxyEventsPlugin, type RequestHandler } from 'http-proxy-middleware'
import { isFullyReceived, type SlowBodyPolicy, watchSlowBody } from './request-body.ts'
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
  UpstreamTimeout,
} from './transport.ts'
import { maxKeepAliveMs } from './upstream-pool.ts'

export interface StreamingTransportOptions {
  openStreams: OpenStreams
  slowBody: SlowBodyPolicy
  connectMs: number
  /** Maximum silence of an event stream, in milliseconds. */
  eventsIdleMs: number
}

/**
 * Property of a request that holds its `StreamingRequest`. A map from requests, weak or not, keeps finished requests
 * through young garbage collections; that took a sixth of the edge's processor time.
 */
const streamed = Symbol('streaming request')
interface TrackedRequest extends IncomingMessage {
  [streamed]?: StreamingRequest
}

/** Creates the transport over http-proxy-middleware: one proxy per upstream address. */
export function createStreamingTransport(options: StreamingTransportOptions): Transport {
  const pooled = createProxies(new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: maxKeepAliveMs }))
  const unpooled = createProxies(new Agent({ keepAlive: false }))
  return {
    send(request: TrackedRequest, response, attempt) {
      const proxied = new StreamingRequest(request, response, attempt, options)
      request[streamed] = proxied
      proxied.begin()
      const proxies = attempt.usesNewConnection ? unpooled : pooled
      void proxies.proxyTo(attempt.target)(request, response)
    },
    async close() {
      pooled.close()
      unpooled.close()
    },
  }
}

function createProxies(agent: Agent) {
  const proxies = new Map<string, RequestHandler>()

  function createProxy(target: string): RequestHandler {
    return createProxyMiddleware({
      target: new URL(target),
      // an agent of Node speaks one protocol; for HTTPS the proxy uses its own
      ...(target.startsWith('http:') ? { agent } : {}),
      // sets the host of the service instead of the one the client sent
      changeOrigin: true,
      xfwd: false,
      // `ResponseWriter` writes the response
      selfHandleResponse: true,
      // the default plugins also log and trace every request
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request: TrackedRequest) => request[streamed]?.onSocket(upstream),
        proxyRes: (upstreamResponse, request: TrackedRequest) => request[streamed]?.onResponse(upstreamResponse),
        error: (error, request: TrackedRequest) => request[streamed]?.onError(error),
      },
    })
  }

  return {
    proxyTo(target: string): RequestHandler {
      const proxy = proxies.get(target) ?? createProxy(target)
      proxies.set(target, proxy)
      return proxy
    },
    close: () => agent.destroy(),
  }
}

/** One attempt to proxy a request. */
class StreamingRequest {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #attempt: Attempt
  readonly #options: StreamingTransportOptions
  readonly #writer: ResponseWriter
  #upstream: ClientRequest | undefined
  /** Bytes the connection had received for earlier requests. */
  #bytesBefore = 0
  /** The result has been reported to the attempt. */
  #isSettled = false
  /** Nothing is left to do; later events of the upstream are ignored. */
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
      // the edge may have ended the stream before the service did
      if (this.#isEventStream) this.#upstream?.destroy()
      if (this.#isSettled) return
      this.#isSettled = true
      this.#attempt.onClientClosed()
    })
  }

  /** The request to the service has a socket, which may still be connecting. */
  onSocket(upstream: ClientRequest): void {
    this.#upstream = upstream
    const { socket } = upstream
    this.#bytesBefore = socket?.bytesRead ?? 0
    upstream.setTimeout(this.#attempt.idleMs)
    upstream.on('timeout', () => this.#onUpstreamSilent())
    // Node closes a connection that switches protocols without an error
    upstream.once('close', () => {
      if (!this.#isSettled) this.onError(new Error('the service closed the connection without a response'))
    })
    if (socket?.connecting !== true) return
    const connectTimer = setTimeout(
      () => this.onError(new ConnectTimeout('no connection in time')),
      this.#options.connectMs,
    )
    socket.once('connect', () => clearTimeout(connectTimer)).once('close', () => clearTimeout(connectTimer))
  }

  onResponse(upstreamResponse: IncomingMessage): void {
    if (this.#isFinished) return
    const { statusCode: status = 0, headers } = upstreamResponse
    if (status < 200) return void this.#fail(classifyError(new Error(`unexpected status ${status}`), true))
    this.#isSettled = true
    this.#attempt.onResponse()
    this.#isEventStream = this.#writer.writeHead(status, headers)
    if (this.#isEventStream) this.#upstream?.setTimeout(this.#options.eventsIdleMs)
    upstreamResponse.on('data', (chunk: Buffer) => {
      if (!this.#writer.write(chunk, () => upstreamResponse.resume())) upstreamResponse.pause()
    })
    upstreamResponse.once('end', () => this.#writer.end())
  }

  onError(error: Error): void {
    this.#fail(classifyError(error, (this.#upstream?.socket?.bytesRead ?? 0) > this.#bytesBefore))
  }

  #onUpstreamSilent(): void {
    if (this.#isEventStream) return void this.#writer.endSilentStream()
    // the service waits for the body, whose arrival `watchSlowBody` limits
    if (!isFullyReceived(this.#request) && !this.#request.isPaused())
      return void this.#upstream?.setTimeout(this.#attempt.idleMs)
    this.onError(new UpstreamTimeout('no response in time'))
  }

  /** After the head of the response was sent, a failure can only abort the response. */
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
    // a broken pipe would pause the request, whose rest has to arrive before the next one
    this.#request.unpipe(upstream)
    upstream.destroy()
  }
}
