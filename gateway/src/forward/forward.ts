import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'
import type { Metrics } from '@wp/service'
import { type Carrier, type CarrierName, hasBody } from './carrier.ts'
import type { Admission, CircuitPolicy, Outcome } from './circuit.ts'
import { createCircuits } from './circuits.ts'
import { createOrdinary, type OrdinaryOptions } from './ordinary.ts'
import { createStreams, type StreamsOptions } from './streams.ts'

/** Where a request goes, by whom, how long the service may be silent, and who is told when it gets nowhere. */
export interface Way {
  /** Address of the service. */
  target: string
  carrier: CarrierName
  /** Milliseconds. */
  idleMs: number
  /** Not called when the client has gone, nor when an answer has begun: that is cut. */
  onFailure: (failure: Problem) => void
}

/** Carries requests, already cleaned and signed, to services, and their answers back. */
export interface Forward {
  forward(request: IncomingMessage, response: ServerResponse, way: Way): void
  /** Ends all connections to services. */
  close(): Promise<void>
}

export interface ForwardOptions extends OrdinaryOptions, StreamsOptions {
  circuit: CircuitPolicy
  metrics: Metrics
}

/**
 * The rules of both carriers: an upstream that cannot be reached is left alone for a while, and a request that does
 * nothing, whose connection broke before a byte of an answer, is sent once more over a new one.
 */
export function createForward(options: ForwardOptions): Forward {
  const carriers: Record<CarrierName, Carrier> = { ordinary: createOrdinary(options), streams: createStreams(options) }
  const circuits = createCircuits(options)

  function send(request: IncomingMessage, response: ServerResponse, way: Way, sending: Sending): void {
    const { target, idleMs, carrier, onFailure } = way
    const { admission, isRepeated, mayRepeat } = sending
    const end = (outcome: Outcome) => circuits.settle(target, admission, outcome)
    carriers[carrier].carry(request, response, {
      target,
      idleMs,
      isFresh: isRepeated,
      answered: () => end('answered'),
      left: () => end('unknown'),
      failed(failure) {
        if (failure.isRepeatable && mayRepeat) {
          options.metrics.count('edge_retries', { upstream: target })
          return send(request, response, way, { admission, isRepeated: true, mayRepeat: false })
        }
        end(failure.isUnreachable ? 'failed' : 'unknown')
        onFailure(failure.problem)
      },
    })
  }

  return {
    forward(request, response, way) {
      const admission = circuits.admit(way.target)
      if (admission === 'refuse') return way.onFailure(leftAlone(circuits.secondsLeft(way.target)))
      send(request, response, way, { admission, isRepeated: false, mayRepeat: doesNothing(request) })
    },
    async close() {
      await Promise.all(Object.values(carriers).map((carrier) => carrier.close()))
    },
  }
}

interface Sending {
  admission: Admission
  isRepeated: boolean
  mayRepeat: boolean
}

/** Whether sending it twice is the same as sending it once (RFC 9110 section 9.2.2), and all of it is still here. */
const doesNothing = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request)

const leftAlone = (seconds: number): Problem =>
  problem('service_unavailable', {
    detail: 'The service could not be reached; it is asked again in a moment',
    headers: { 'retry-after': String(seconds) },
  })
