import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import { createProxyMiddleware, proxyEventsPlugin, type RequestHandler } from 'http-proxy-middleware'

/** Where a request goes, how long it may stay without a sign of life, and who is told when it gets nowhere. */
export interface Way {
  target: string
  timeoutMs: number
  /** Not called when the client has gone; called also in the middle of an answer, which can then only be cut. */
  onFailure: (failure: Problem) => void
}

/** Carries a request, already cleaned and signed, to a service and its answer back. */
export interface Proxy {
  forward(request: IncomingMessage, response: ServerResponse, way: Way): Promise<void>
}

/**
 * A request carries its way itself. In a map of requests, weak or not, what is long over survives young collections:
 * that took a sixth of the edge's time.
 */
const ownWay = Symbol('way')
interface Forwarded extends IncomingMessage {
  [ownWay]?: Way
}

class UpstreamTimeout extends Error {}

/**
 * One proxy for each upstream address. Bodies are streamed both ways and never parsed.
 * @param agent keeps the connections to services
 */
export function createProxy(agent: Agent): Proxy {
  const proxies = new Map<string, RequestHandler>()

  function proxyTo(target: string): RequestHandler {
    const made = createProxyMiddleware({
      target: new URL(target),
      // Node's agents speak one protocol each; for the other the proxy has its own
      ...(target.startsWith('http:') ? { agent } : {}),
      // a service is called by its own name, never by the one a client wrote
      changeOrigin: true,
      xfwd: false,
      // the default plugins also write a log line and a debug trace for every request
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request: Forwarded) => limitTime(upstream, request[ownWay]?.timeoutMs),
        proxyRes(answer, _request, response) {
          // hop-by-hop: the client's connection is ours to manage
          delete answer.headers['keep-alive']
          const ends = response.getHeader('connection') === 'close' || !response.shouldKeepAlive
          answer.headers.connection = ends ? 'close' : 'keep-alive'
        },
        error(error, request: Forwarded, response) {
          if (!('setHeader' in response)) return void response.destroy()
          if (!response.destroyed) request[ownWay]?.onFailure(failureOf(error, request))
        },
      },
    })
    proxies.set(target, made)
    return made
  }

  return {
    async forward(request, response, way) {
      const forwarded: Forwarded = request
      forwarded[ownWay] = way
      await (proxies.get(way.target) ?? proxyTo(way.target))(request, response)
    },
  }
}

/** No byte to or from the service for this long ends the request. */
function limitTime(upstream: ClientRequest, timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined)
    upstream.setTimeout(timeoutMs, () => upstream.destroy(new UpstreamTimeout('no answer in time')))
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function failureOf(error: Error, request: IncomingMessage): Problem {
  if (error instanceof UpstreamTimeout)
    return problem(request.complete ? 'gateway_timeout' : 'request_timeout', { cause: error })
  const code = 'code' in error ? String(error.code) : ''
  return unreachable.has(code)
    ? problem('service_unavailable', { cause: error, headers: { 'retry-after': '1' } })
    : problem('bad_gateway', { cause: error })
}
