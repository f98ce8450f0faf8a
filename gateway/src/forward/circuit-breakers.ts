import type { Metrics } from '@wp/service'
import {
  type Admission,
  type AttemptResult,
  admit,
  type Circuit,
  type CircuitPolicy,
  closedCircuit,
  recordResult,
  retryAfterSeconds,
} from './circuit-breaker.ts'

/** What is believed of every upstream. */
export interface CircuitBreakers {
  admit(target: string): Admission
  recordResult(target: string, admission: Admission, outcome: AttemptResult): void
  /** After how many seconds it is worth asking one again that refuses. */
  retryAfterSeconds(target: string): number
}

interface CircuitBreakersOptions {
  circuit: CircuitPolicy
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

/** The value of the metric `edge_circuit`. */
const gauge = { closed: 0, half_open: 1, open: 2 }

/** One circuit for each address; only those that anything is known against are kept. */
export function createCircuitBreakers({ circuit: policy, metrics, now }: CircuitBreakersOptions): CircuitBreakers {
  const circuits = new Map<string, Circuit>()

  function store(target: string, before: Circuit, after: Circuit): void {
    if (after === before) return
    if (after === closedCircuit) circuits.delete(target)
    else circuits.set(target, after)
    if (after.phase !== before.phase) metrics.gauge('edge_circuit', gauge[after.phase], { upstream: target })
  }

  return {
    admit(target) {
      const before = circuits.get(target)
      if (before === undefined) return 'pass'
      const { circuit, admission } = admit(before, now())
      store(target, before, circuit)
      return admission
    },
    recordResult(target, admission, outcome) {
      const before = circuits.get(target) ?? closedCircuit
      if (outcome === 'answered' && before === closedCircuit) return
      store(target, before, recordResult(before, admission, outcome, now(), policy))
    },
    retryAfterSeconds: (target) => retryAfterSeconds(circuits.get(target) ?? closedCircuit, now()),
  }
}
