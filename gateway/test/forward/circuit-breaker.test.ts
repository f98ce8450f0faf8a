import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  type Admission,
  admit,
  type Circuit,
  closedCircuit,
  type RequestResult,
  recordResult,
  retryAfterSeconds,
} from '../../src/forward/circuit-breaker.ts'

const policy = { failures: 3, openMs: 2000 }
const after = (results: readonly RequestResult[], circuit = closedCircuit): Circuit =>
  results.reduce((state, result) => recordResult(state, 'pass', result, 0, policy), circuit)
const opened = after(['failed', 'failed', 'failed'])

describe('the circuit breaker', () => {
  it('opens after the configured number of consecutive failures', () => {
    expect(after(['failed', 'failed'])).toEqual({ phase: 'closed', failures: 2 })
    expect(opened).toEqual({ phase: 'open', until: 2000 })
  })

  it('resets the failures when the upstream responds, and only then', () => {
    expect(after(['failed', 'failed', 'answered', 'failed'])).toEqual({ phase: 'closed', failures: 1 })
    expect(after(['failed', 'unknown', 'failed', 'unknown', 'failed'])).toEqual(opened)
  })

  it('rejects requests while it is open and says when to retry', () => {
    expect(admit(opened, 1999)).toEqual({ circuit: opened, admission: 'reject' })
    expect([0, 1, 1999, 2000, 9000].map((now) => retryAfterSeconds(opened, now))).toEqual([2, 2, 1, 1, 1])
  })

  it('admits a single probe after it was open', () => {
    const first = admit(opened, 2000)
    expect(first.admission).toBe('probe')
    expect(admit(first.circuit, 2000)).toEqual({ circuit: first.circuit, admission: 'reject' })
    expect(admit(first.circuit, 99_000).admission).toBe('reject')
  })

  it('closes when the probe is answered, reopens when it fails, and probes again when its result is unknown', () => {
    const { circuit } = admit(opened, 2000)
    expect(recordResult(circuit, 'probe', 'answered', 2100, policy)).toEqual(closedCircuit)
    expect(recordResult(circuit, 'probe', 'failed', 2100, policy)).toEqual({ phase: 'open', until: 4100 })
    const afterUnknown = recordResult(circuit, 'probe', 'unknown', 2100, policy)
    expect(admit(afterUnknown, 2100).admission).toBe('probe')
  })

  it('ignores failures of requests sent before it opened, and closes when one of them is answered', () => {
    const { circuit } = admit(opened, 2000)
    for (const state of [opened, circuit]) {
      expect(recordResult(state, 'pass', 'failed', 2500, policy)).toBe(state)
      expect(recordResult(state, 'pass', 'unknown', 2500, policy)).toBe(state)
      expect(recordResult(state, 'pass', 'answered', 2500, policy)).toEqual(closedCircuit)
    }
  })

  it('has at most one probe in flight and never stays open forever', () => {
    const step = fc.record({
      result: fc.constantFrom<RequestResult>('answered', 'failed', 'unknown'),
      elapsedMs: fc.nat(3000),
      endsRequest: fc.boolean(),
      index: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let circuit = closedCircuit
        let now = 0
        const inFlight: Admission[] = []
        for (const { result, elapsedMs, endsRequest, index } of steps) {
          now += elapsedMs
          if (endsRequest && inFlight.length > 0) {
            const [admission = 'pass'] = inFlight.splice(index % inFlight.length, 1)
            circuit = recordResult(circuit, admission, result, now, policy)
          } else {
            const admitted = admit(circuit, now)
            circuit = admitted.circuit
            if (admitted.admission !== 'reject') inFlight.push(admitted.admission)
          }
          if (circuit.phase === 'half_open') expect(inFlight).toContain('probe')
        }
        // all requests in flight end, and some time passes
        for (const admission of inFlight) circuit = recordResult(circuit, admission, 'failed', now, policy)
        expect(admit(circuit, now + policy.openMs).admission).not.toBe('reject')
      }),
      { numRuns: 500 },
    )
  })
})
