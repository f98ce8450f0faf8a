import type { Metrics } from '@wp/runtime'
import {
  type Admission,
  admit,
  type Circuit,
  type CircuitPolicy,
  closedCircuit,
  type RequestResult,
  recordResult,
  retryAfterSeconds,
} from './circuit-breaker.ts'

/** The circuit breakers of all upstreams, by address. */
export interface CircuitBreakers {
  admit(target: string): Admission
  recordResult(target: string, admission: Admission, result: RequestResult): void
  retryAfterSeconds(target: string): number
}

interface CircuitBreakersOptions {
  circuit: CircuitPolicy
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

/** Values of the metric `edge_circuit`. */
const phaseValues = { closed: 0, half_open: 1, open: 2 }

export function createCircuitBreakers({ circuit: policy, metrics, now }: CircuitBreakersOptions): CircuitBreakers {
  /** Only circuits with failures. */
  const circuits = new Map<string, Circuit>()

  function store(target: string, before: Circuit, after: Circuit): void {
    if (after === before) return
    if (after === closedCircuit) circuits.delete(target)
    else circuits.set(target, after)
    if (after.phase !== before.phase) metrics.gauge('edge_circuit', phaseValues[after.phase], { upstream: target })
  }

  return {
    admit(target) {
      const before = circuits.get(target)
      if (before === undefined) return 'pass'
      const { circuit, admission } = admit(before, now())
      store(target, before, circuit)
      return admission
    },
    recordResult(target, admission, result) {
      const before = circuits.get(target) ?? closedCircuit
      if (result === 'answered' && before === closedCircuit) return
      store(target, before, recordResult(before, admission, result, now(), policy))
    },
    retryAfterSeconds: (target) => retryAfterSeconds(circuits.get(target) ?? closedCircuit, now()),
  }
}
