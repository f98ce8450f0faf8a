import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import type { Metrics } from '@wp/runtime'
import { type BufferedTransportOptions, createBufferedTransport } from './buffered.ts'
import type { Admission, CircuitPolicy, RequestResult } from './circuit-breaker.ts'
import { createCircuitBreakers } from './circuit-breaker.ts'
import { createStreamingTransport, type StreamingTransportOptions } from './streaming.ts'
import { hasBody, type Transport, type TransportName } from './transport.ts'

/** Options of one forwarded request. */
export interface ForwardOptions {
  /** Address of the service. */
  target: string
  transport: TransportName
  /** Milliseconds of silence of the service after which the request fails. */
  idleMs: number
  /** Called if nothing was sent to the client and it is still connected. Later failures abort the response. */
  onFailure: (problem: Problem) => void
}

/** Forwards sanitized and signed requests to services. */
export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void
  /** Closes all connections to services. */
  close(): Promise<void>
}

export interface ForwarderOptions extends BufferedTransportOptions, StreamingTransportOptions {
  circuit: CircuitPolicy
  metrics: Metrics
}

/**
 * Creates the forwarder, with rules that hold for both transports: a circuit breaker per upstream, and one retry over a
 * new connection for a safe request whose connection broke before the first byte of a response.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const transports: Record<TransportName, Transport> = {
    buffered: createBufferedTransport(options),
    streaming: createStreamingTransport(options),
  }
  const circuits = createCircuitBreakers(options)

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    forward: ForwardOptions,
    state: { admission: Admission; isRetry: boolean; mayRetry: boolean },
  ): void {
    const { target, idleMs, transport, onFailure } = forward
    const { admission, isRetry, mayRetry } = state
    const record = (result: RequestResult) => circuits.recordResult(target, admission, result)
    transports[transport].send(request, response, {
      target,
      idleMs,
      usesNewConnection: isRetry,
      onResponse: () => record('answered'),
      onClientClosed: () => record('unknown'),
      onFailure(failure) {
        if (failure.isRetryable && mayRetry) {
          options.metrics.count('edge_retries', { upstream: target })
          return send(request, response, forward, { admission, isRetry: true, mayRetry: false })
        }
        record(failure.isUnreachable ? 'failed' : 'unknown')
        onFailure(failure.problem)
      },
    })
  }

  return {
    forward(request, response, forward) {
      const { target, onFailure } = forward
      const admission = circuits.admit(target)
      if (admission === 'reject') return onFailure(circuitOpenProblem(circuits.retryAfterSeconds(target)))
      send(request, response, forward, { admission, isRetry: false, mayRetry: isSafeToRetry(request) })
    },
    async close() {
      await Promise.all(Object.values(transports).map((transport) => transport.close()))
    },
  }
}

/** Returns true for a safe method (RFC 9110 section 9.2.1) without a body, which would have been consumed. */
const isSafeToRetry = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request)

const circuitOpenProblem = (seconds: number): Problem =>
  problem('service_unavailable', {
    detail: `The service is unavailable; retry in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  })
