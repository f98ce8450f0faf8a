import { describe, expect, it } from '@jest/globals'
import { freshnessOf, type KeyEvent, mayFetch, nextKeyState, noKeys } from '../../../src/identify/token/signing-keys.ts'

const now = 1_000_000
const keySet = { keys: [{ kty: 'EC', crv: 'P-256', kid: 'k1', x: 'eA', y: 'eQ' }] }
const started: KeyEvent = { kind: 'fetch_started' }
const succeeded: KeyEvent = { kind: 'fetch_succeeded', keySet }
const failed: KeyEvent = { kind: 'fetch_failed' }
const stateAfter = (...events: readonly KeyEvent[]) =>
  events.reduce((state, event) => nextKeyState(state, event, now), noKeys)

describe('the key state', () => {
  it('allows no fetch while one is pending', () => {
    expect(mayFetch(noKeys, now)).toBe(true)
    expect(mayFetch(stateAfter(started), now + 60_000)).toBe(false)
  })

  it.each([
    ['succeeded', succeeded],
    ['failed', failed],
  ])('allows a fetch a second after the last one started, when it %s', (_, result) => {
    const state = stateAfter(started, result)
    expect([now + 999, now + 1000].map((time) => mayFetch(state, time))).toEqual([false, true])
  })

  it('classifies keys by their age', () => {
    const state = stateAfter(started, succeeded)
    const freshness = [0, 60_000, 60_001, 300_000, 300_001].map((ageMs) => freshnessOf(state, now + ageMs))
    expect(freshness).toEqual(['fresh', 'fresh', 'stale', 'stale', 'expired'])
    expect(freshnessOf(noKeys, now)).toBe('missing')
  })

  it('keeps the known keys when a fetch fails', () => {
    const state = stateAfter(started, succeeded, started, failed)
    expect(state.keys?.fingerprints.size).toBe(1)
    expect(freshnessOf(state, now)).toBe('fresh')
  })

  it('gives another key with the same id another fingerprint', () => {
    const other = { keys: [{ ...keySet.keys[0], kty: 'EC', x: 'eg' }] }
    const [fingerprint = ''] = stateAfter(started, succeeded).keys?.fingerprints ?? []
    const replaced = stateAfter(started, { kind: 'fetch_succeeded', keySet: other })
    expect(replaced.keys?.fingerprintsById.has('k1')).toBe(true)
    expect(replaced.keys?.fingerprints.has(fingerprint)).toBe(false)
  })
})
