import { describe, expect, it } from '@jest/globals'
import type { AttemptResult } from '../../src/delivery/classify-attempt.ts'
import { computeNextState } from '../../src/delivery/next-state.ts'
import { computeRetryDelayMs, defaultRetrySchedule } from '../../src/delivery/retry-schedule.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-01-05T09:30:00.000Z')
const retry: AttemptResult = { outcome: 'failed', action: 'retry', isOverloaded: false }
const wait = (retryAfterMs: number): AttemptResult => ({
  outcome: 'failed',
  action: 'wait',
  retryAfterMs,
  isOverloaded: true,
})
const timing = { schedule: [5, 300, 1_800], nowMs, random: 0 }
const fresh = { retriesUsed: 0, throttledAtMs: null }

describe('the default schedule', () => {
  it('spans 75.6 hours in nine pauses', () => {
    expect(defaultRetrySchedule.map((seconds) => seconds / 60)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440])
  })
})

describe('a pause', () => {
  it.each([
    [0, 0, 5_000],
    [0, 0.5, 5_500],
    [1, 0, 300_000],
    [2, 0.999_999, 2_160_000],
    [3, 0, undefined],
  ])('after %i retries, with %f of the dice, is %s ms: jitter only adds, at most a fifth', (used, random, expected) => {
    expect(computeRetryDelayMs([5, 300, 1_800], used, random)).toBe(expected)
  })
})

describe('after an attempt', () => {
  it('that arrived, nothing follows', () => {
    expect(computeNextState({ ...fresh, retriesUsed: 2 }, { outcome: 'delivered' }, timing)).toMatchObject({
      status: 'delivered',
      delayMs: null,
    })
  })

  it('that failed, the next pause of the schedule follows, until there is none', () => {
    const first = computeNextState(fresh, retry, timing)
    const second = computeNextState(first, retry, timing)
    const third = computeNextState(second, retry, timing)
    const last = computeNextState(third, retry, timing)
    expect([first, second, third].map(({ status, delayMs }) => [status, delayMs])).toEqual([
      ['pending', 5_000],
      ['pending', 300_000],
      ['pending', 1_800_000],
    ])
    expect(last).toMatchObject({ status: 'failed', delayMs: null })
  })

  it('that was answered 410, it has failed although the schedule goes on', () => {
    expect(computeNextState(fresh, { outcome: 'failed', action: 'disable' }, timing)).toMatchObject({
      status: 'failed',
      delayMs: null,
    })
  })
})

describe('after an answer with Retry-After', () => {
  it('waits as long as it says, and no shorter than the first pause', () => {
    expect(computeNextState(fresh, wait(90_000), timing)).toMatchObject({ status: 'pending', delayMs: 90_000 })
    expect(computeNextState(fresh, wait(0), timing)).toMatchObject({ status: 'pending', delayMs: 5_000 })
    expect(computeNextState(fresh, wait(90_000), { ...timing, random: 0.5 }).delayMs).toBe(99_000)
  })

  it('counts against the schedule once an hour', () => {
    const first = computeNextState(fresh, wait(60_000), timing)
    expect(first).toMatchObject({ retriesUsed: 1, throttledAtMs: nowMs })
    const soon = computeNextState(first, wait(60_000), { ...timing, nowMs: nowMs + hourMs - 1 })
    expect(soon).toMatchObject({ retriesUsed: 1, throttledAtMs: nowMs })
    const later = computeNextState(soon, wait(60_000), { ...timing, nowMs: nowMs + hourMs })
    expect(later).toMatchObject({ retriesUsed: 2, throttledAtMs: nowMs + hourMs })
  })

  it('does not go on for ever', () => {
    const usedUp = { retriesUsed: 3, throttledAtMs: nowMs }
    expect(computeNextState(usedUp, wait(1_000), { ...timing, nowMs: nowMs + 1_000 }).status).toBe('pending')
    expect(computeNextState(usedUp, wait(1_000), { ...timing, nowMs: nowMs + hourMs }).status).toBe('failed')
  })
})
