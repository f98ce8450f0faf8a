import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  type Admission,
  type AttemptResult,
  admit,
  type Circuit,
  closedCircuit,
  recordResult,
  retryAfterSeconds,
} from '../../src/forward/circuit-breaker.ts'

const policy = { failures: 3, openMs: 2000 }
const after = (outcomes: readonly AttemptResult[], circuit = closedCircuit): Circuit =>
  outcomes.reduce((state, outcome) => recordResult(state, 'pass', outcome, 0, policy), circuit)
const opened = after(['failed', 'failed', 'failed'])

describe('a circuit', () => {
  it('opens after as many failures one after the other as it is told', () => {
    expect(after(['failed', 'failed'])).toEqual({ phase: 'closed', failures: 2 })
    expect(opened).toEqual({ phase: 'open', until: 2000 })
  })

  it('forgets failures when the upstream answers, and only then', () => {
    expect(after(['failed', 'failed', 'answered', 'failed'])).toEqual({ phase: 'closed', failures: 1 })
    expect(after(['failed', 'unknown', 'failed', 'unknown', 'failed'])).toEqual(opened)
  })

  it('refuses while it is open, saying for how long', () => {
    expect(admit(opened, 1999)).toEqual({ circuit: opened, admission: 'refuse' })
    expect([0, 1, 1999, 2000, 9000].map((now) => retryAfterSeconds(opened, now))).toEqual([2, 2, 1, 1, 1])
  })

  it('then lets one request find out, and refuses the others until it has', () => {
    const first = admit(opened, 2000)
    expect(first.admission).toBe('probe')
    expect(admit(first.circuit, 2000)).toEqual({ circuit: first.circuit, admission: 'refuse' })
    expect(admit(first.circuit, 99_000).admission).toBe('refuse')
  })

  it('closes when that one is answered, opens again when it fails, and asks another when nothing was learned', () => {
    const { circuit } = admit(opened, 2000)
    expect(recordResult(circuit, 'probe', 'answered', 2100, policy)).toEqual(closedCircuit)
    expect(recordResult(circuit, 'probe', 'failed', 2100, policy)).toEqual({ phase: 'open', until: 4100 })
    const left = recordResult(circuit, 'probe', 'unknown', 2100, policy)
    expect(admit(left, 2100).admission).toBe('probe')
  })

  it('is not held open by requests that began before, and closed by one that was answered', () => {
    const { circuit } = admit(opened, 2000)
    for (const state of [opened, circuit]) {
      expect(recordResult(state, 'pass', 'failed', 2500, policy)).toBe(state)
      expect(recordResult(state, 'pass', 'unknown', 2500, policy)).toBe(state)
      expect(recordResult(state, 'pass', 'answered', 2500, policy)).toEqual(closedCircuit)
    }
  })

  it('has one probe at a time at most and never refuses for ever, whatever happens', () => {
    const step = fc.record({
      outcome: fc.constantFrom<AttemptResult>('answered', 'failed', 'unknown'),
      passed: fc.nat(3000),
      settles: fc.boolean(),
      index: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let circuit = closedCircuit
        let now = 0
        const underWay: Admission[] = []
        for (const { outcome, passed, settles, index } of steps) {
          now += passed
          if (settles && underWay.length > 0) {
            const [admission = 'pass'] = underWay.splice(index % underWay.length, 1)
            circuit = recordResult(circuit, admission, outcome, now, policy)
          } else {
            const admitted = admit(circuit, now)
            circuit = admitted.circuit
            if (admitted.admission !== 'refuse') underWay.push(admitted.admission)
          }
          if (circuit.phase === 'half_open') expect(underWay).toContain('probe')
        }
        // everything that is under way ends, and then some time passes
        for (const admission of underWay) circuit = recordResult(circuit, admission, 'failed', now, policy)
        expect(admit(circuit, now + policy.openMs).admission).not.toBe('refuse')
      }),
      { numRuns: 500 },
    )
  })
})
