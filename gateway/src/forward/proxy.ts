import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import { createProxyMiddleware, proxyEventsPlugin, type RequestHandler } from 'http-proxy-middleware'

/** Carries a request, already cleaned and signed, to a service and its answer back. */
export interface Proxy {
  forward(request: IncomingMessage, response: ServerResponse, target: string, timeoutMs: number): Promise<void>
}

/** How a failure between the edge and a service is answered, where nothing was answered yet. */
export type OnFailure = (failure: Problem, request: IncomingMessage, response: ServerResponse) => void

class UpstreamTimeout extends Error {}

/**
 * One proxy for each upstream address. Bodies are streamed both ways and never parsed.
 * @param agent keeps the connections to services
 */
export function createProxy(agent: Agent, onFailure: OnFailure): Proxy {
  const proxies = new Map<string, RequestHandler>()
  const timeouts = new WeakMap<IncomingMessage, number>()

  function proxyTo(target: string): RequestHandler {
    const made = createProxyMiddleware({
      target,
      agent,
      xfwd: false,
      // the default plugins also write a log line and a debug trace for every request
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request) => limitTime(upstream, timeouts.get(request)),
        proxyRes: (answer) => {
          // hop-by-hop: the client's connection is ours to manage
          delete answer.headers.connection
          delete answer.headers['keep-alive']
        },
        error: (error, request, response) => {
          if (!('setHeader' in response)) return void response.destroy()
          if (response.headersSent || response.destroyed) return void response.destroy()
          onFailure(failureOf(error), request, response)
        },
      },
    })
    proxies.set(target, made)
    return made
  }

  return {
    async forward(request, response, target, timeoutMs) {
      timeouts.set(request, timeoutMs)
      await (proxies.get(target) ?? proxyTo(target))(request, response)
    },
  }
}

/** No byte from the service for this long ends the request. */
function limitTime(upstream: ClientRequest, timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined)
    upstream.setTimeout(timeoutMs, () => upstream.destroy(new UpstreamTimeout('no answer in time')))
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function failureOf(error: Error): Problem {
  if (error instanceof UpstreamTimeout) return problem('gateway_timeout', { cause: error })
  const code = 'code' in error ? String(error.code) : ''
  return unreachable.has(code)
    ? problem('service_unavailable', { cause: error, headers: { 'retry-after': '1' } })
    : problem('bad_gateway', { cause: error })
}
