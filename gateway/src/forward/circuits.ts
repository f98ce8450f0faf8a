import type { Metrics } from '@wp/service'
import {
  type Admission,
  admit,
  type Circuit,
  type CircuitPolicy,
  closedCircuit,
  type Outcome,
  retryAfterSeconds,
  settle,
} from './circuit.ts'

/** What is believed of every upstream. */
export interface Circuits {
  admit(target: string): Admission
  settle(target: string, admission: Admission, outcome: Outcome): void
  /** After how many seconds it is worth asking one again that refuses. */
  secondsLeft(target: string): number
}

interface CircuitsOptions {
  circuit: CircuitPolicy
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

/** The value of the metric `edge_circuit`. */
const gauge = { closed: 0, probing: 1, open: 2 }

/** One circuit for each address; only those that anything is known against are kept. */
export function createCircuits({ circuit: policy, metrics, now }: CircuitsOptions): Circuits {
  const suspects = new Map<string, Circuit>()

  function keep(target: string, before: Circuit, after: Circuit): void {
    if (after === before) return
    if (after === closedCircuit) suspects.delete(target)
    else suspects.set(target, after)
    if (after.phase !== before.phase) metrics.gauge('edge_circuit', gauge[after.phase], { upstream: target })
  }

  return {
    admit(target) {
      const before = suspects.get(target)
      if (before === undefined) return 'pass'
      const { circuit, admission } = admit(before, now())
      keep(target, before, circuit)
      return admission
    },
    settle(target, admission, outcome) {
      const before = suspects.get(target) ?? closedCircuit
      if (outcome === 'answered' && before === closedCircuit) return
      keep(target, before, settle(before, admission, outcome, now(), policy))
    },
    secondsLeft: (target) => retryAfterSeconds(suspects.get(target) ?? closedCircuit, now()),
  }
}
