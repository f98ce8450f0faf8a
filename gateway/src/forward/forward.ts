import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import type { Metrics } from '@wp/service'
import { type BufferedTransportOptions, createBufferedTransport } from './buffered.ts'
import type { Admission, AttemptResult, CircuitPolicy } from './circuit-breaker.ts'
import { createCircuitBreakers } from './circuit-breakers.ts'
import { createStreamingTransport, type StreamingTransportOptions } from './streaming.ts'
import { hasBody, type Transport, type TransportName } from './transport.ts'

/** Where a request goes, by whom, how long the service may be silent, and who is told when it gets nowhere. */
export interface ForwardOptions {
  /** Address of the service. */
  target: string
  transport: TransportName
  /** Milliseconds. */
  idleMs: number
  /** Not called when the client has gone, nor when an answer has begun: that is cut. */
  onFailure: (failure: Problem) => void
}

/** Carries requests, already cleaned and signed, to services, and their answers back. */
export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse, way: ForwardOptions): void
  /** Ends all connections to services. */
  close(): Promise<void>
}

export interface ForwarderOptions extends BufferedTransportOptions, StreamingTransportOptions {
  circuit: CircuitPolicy
  metrics: Metrics
}

/**
 * The rules of both carriers: an upstream that cannot be reached is left alone for a while, and a request that does
 * nothing, whose connection broke before a byte of an answer, is sent once more over a new one.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const transports: Record<TransportName, Transport> = {
    buffered: createBufferedTransport(options),
    streaming: createStreamingTransport(options),
  }
  const circuits = createCircuitBreakers(options)

  function send(request: IncomingMessage, response: ServerResponse, way: ForwardOptions, sending: SendAttempt): void {
    const { target, idleMs, transport: carrier, onFailure } = way
    const { admission, isRetry: isRepeated, mayRetry: mayRepeat } = sending
    const end = (outcome: AttemptResult) => circuits.recordResult(target, admission, outcome)
    transports[carrier].send(request, response, {
      target,
      idleMs,
      usesNewConnection: isRepeated,
      onResponse: () => end('answered'),
      onClientClosed: () => end('unknown'),
      onFailure(failure) {
        if (failure.isRetryable && mayRepeat) {
          options.metrics.count('edge_retries', { upstream: target })
          return send(request, response, way, { admission, isRetry: true, mayRetry: false })
        }
        end(failure.isUnreachable ? 'failed' : 'unknown')
        onFailure(failure.problem)
      },
    })
  }

  return {
    forward(request, response, way) {
      const admission = circuits.admit(way.target)
      if (admission === 'refuse') return way.onFailure(circuitOpenProblem(circuits.retryAfterSeconds(way.target)))
      send(request, response, way, { admission, isRetry: false, mayRetry: isSafeToRetry(request) })
    },
    async close() {
      await Promise.all(Object.values(transports).map((carrier) => carrier.close()))
    },
  }
}

interface SendAttempt {
  admission: Admission
  isRetry: boolean
  mayRetry: boolean
}

/** Whether sending it twice is the same as sending it once (RFC 9110 section 9.2.2), and all of it is still here. */
const isSafeToRetry = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request)

const circuitOpenProblem = (seconds: number): Problem =>
  problem('service_unavailable', {
    detail: 'The service could not be reached; it is asked again in a moment',
    headers: { 'retry-after': String(seconds) },
  })
