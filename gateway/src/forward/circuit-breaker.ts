import type { Metrics } from '@wp/runtime'

/** Values of the metric `edge_circuit`. */
const phaseValues = { closed: 0, half_open: 1, open: 2 }

/** State of the circuit breaker of one upstream. Immutable. */
export type Circuit =
  | { readonly phase: 'closed'; readonly failures: number }
  /** Rejects requests until `until`, in milliseconds since 1970. */
  | { readonly phase: 'open'; readonly until: number }
  /** One request probes the upstream; all others are rejected. */
  | { readonly phase: 'half_open' }

/**
 * `pass`: send the request. `probe`: send it to find out whether the upstream has recovered. `reject`: do not send it.
 */
export type Admission = 'pass' | 'probe' | 'reject'

/**
 * Result of a request as far as it concerns the upstream. `answered`: it responded, with an error as well. `failed`: it
 * could not be reached or did not respond in time. `unknown`: neither, for example because the client left.
 */
export type RequestResult = 'answered' | 'failed' | 'unknown'

export interface CircuitPolicy {
  /** Consecutive failures that open the circuit. */
  failures: number
  openMs: number
}

/** The state of an upstream without failures. */
export const closedCircuit: Circuit = { phase: 'closed', failures: 0 }
const halfOpen: Circuit = { phase: 'half_open' }

/** Decides whether a request may be sent now. @param now milliseconds since 1970 */
export function admit(circuit: Circuit, now: number): { circuit: Circuit; admission: Admission } {
  if (circuit.phase === 'closed') return { circuit, admission: 'pass' }
  if (circuit.phase === 'half_open' || circuit.until > now) return { circuit, admission: 'reject' }
  return { circuit: halfOpen, admission: 'probe' }
}

/** Returns the state after a request that was admitted has ended. */
export function recordResult(
  circuit: Circuit,
  admission: Admission,
  result: RequestResult,
  now: number,
  policy: CircuitPolicy,
): Circuit {
  if (result === 'answered') return closedCircuit
  if (circuit.phase === 'closed') return result === 'failed' ? afterFailure(circuit.failures + 1, now, policy) : circuit
  // the result of a request that was sent before the circuit opened is out of date
  if (circuit.phase === 'open' || admission !== 'probe') return circuit
  return { phase: 'open', until: result === 'failed' ? now + policy.openMs : now }
}

/** Returns the whole seconds until a retry can succeed, at least one. */
export const retryAfterSeconds = (circuit: Circuit, now: number): number =>
  circuit.phase === 'open' ? Math.max(1, Math.ceil((circuit.until - now) / 1000)) : 1

const afterFailure = (failures: number, now: number, policy: CircuitPolicy): Circuit =>
  failures >= policy.failures ? { phase: 'open', until: now + policy.openMs } : { phase: 'closed', failures }

/** The circuit breakers of all upstreams, by address. */
interface CircuitBreakers {
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
