/** What is believed of one upstream: it answers, it does not, or one request is finding out. */
export type Circuit =
  | { readonly phase: 'closed'; readonly failures: number }
  /** Milliseconds since 1970 until which nobody asks it. */
  | { readonly phase: 'open'; readonly until: number }
  | { readonly phase: 'half_open' }

/** Whether a request may go: like any other, as the one that finds out, or not at all. */
export type Admission = 'pass' | 'probe' | 'refuse'

/**
 * How a request ended, as far as it tells whether the upstream can be reached: it answered (with an error of its own,
 * too), it could not be reached or did not answer in time, or nothing was learned.
 */
export type AttemptResult = 'answered' | 'failed' | 'unknown'

export interface CircuitPolicy {
  /** Failures one after the other that open it. */
  failures: number
  openMs: number
}

/** Nothing is known against it. */
export const closedCircuit: Circuit = { phase: 'closed', failures: 0 }
const halfOpen: Circuit = { phase: 'half_open' }

/** Whether a request may go at this moment. */
export function admit(circuit: Circuit, now: number): { circuit: Circuit; admission: Admission } {
  if (circuit.phase === 'closed') return { circuit, admission: 'pass' }
  if (circuit.phase === 'half_open' || circuit.until > now) return { circuit, admission: 'refuse' }
  return { circuit: halfOpen, admission: 'probe' }
}

/** What is believed after a request that was admitted has ended. */
export function recordResult(
  circuit: Circuit,
  admission: Admission,
  outcome: AttemptResult,
  now: number,
  policy: CircuitPolicy,
): Circuit {
  if (outcome === 'answered') return closedCircuit
  if (circuit.phase === 'closed')
    return outcome === 'failed' ? withFailures(circuit.failures + 1, now, policy) : circuit
  // what began before it opened tells nothing new
  if (circuit.phase === 'open' || admission !== 'probe') return circuit
  return { phase: 'open', until: outcome === 'failed' ? now + policy.openMs : now }
}

/** Whole seconds after which it is worth asking again. */
export const retryAfterSeconds = (circuit: Circuit, now: number): number =>
  circuit.phase === 'open' ? Math.max(1, Math.ceil((circuit.until - now) / 1000)) : 1

const withFailures = (failures: number, now: number, policy: CircuitPolicy): Circuit =>
  failures >= policy.failures ? { phase: 'open', until: now + policy.openMs } : { phase: 'closed', failures }
