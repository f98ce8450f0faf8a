import { describe, expect, it } from '@jest/globals'
import type { AttemptResult } from '../../src/delivery/next-state.ts'
import { computeNextState } from '../../src/delivery/next-state.ts'
import { computeRetryDelayMs, defaultRetrySchedule } from '../../src/delivery/retry-schedule.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-01-05T09:30:00.000Z')
const retry: AttemptResult = { outcome: 'failed', action: 'retry', isOverloaded: false }
const wait = (retryAfterMs: number): AttemptResult => ({
  outcome: 'failed',
  action: 'retry_after',
  retryAfterMs,
  isOverloaded: true,
})
const timing = { schedule: [5, 300, 1_800], nowMs, random: 0 }
const fresh = { retriesUsed: 0, throttledAtMs: null }

describe('defaultRetrySchedule', () => {
  it('has nine pauses of 75.6 hours in total', () => {
    expect(defaultRetrySchedule.map((seconds) => seconds / 60)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440])
  })
})

describe('computeRetryDelayMs', () => {
  it.each([
    [0, 0, 5_000],
    [0, 0.5, 5_500],
    [1, 0, 300_000],
    [2, 0.999_999, 2_160_000],
    [3, 0, undefined],
  ])('after %i retries with a random value of %f returns %s: jitter adds at most a fifth', (used, random, expected) => {
    expect(computeRetryDelayMs([5, 300, 1_800], used, random)).toBe(expected)
  })
})

describe('computeNextState', () => {
  it('schedules no attempt after a success', () => {
    expect(computeNextState({ ...fresh, retriesUsed: 2 }, { outcome: 'delivered' }, timing)).toMatchObject({
      status: 'delivered',
      delayMs: null,
    })
  })

  it('uses the pauses of the schedule in turn, then fails the delivery', () => {
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

  it('fails the delivery on 410 although the schedule is not used up', () => {
    expect(computeNextState(fresh, { outcome: 'failed', action: 'disable' }, timing)).toMatchObject({
      status: 'failed',
      delayMs: null,
    })
  })
})

describe('computeNextState, after a response with Retry-After,', () => {
  it('waits as long as the header says, but at least the first pause', () => {
    expect(computeNextState(fresh, wait(90_000), timing)).toMatchObject({ status: 'pending', delayMs: 90_000 })
    expect(computeNextState(fresh, wait(0), timing)).toMatchObject({ status: 'pending', delayMs: 5_000 })
    expect(computeNextState(fresh, wait(90_000), { ...timing, random: 0.5 }).delayMs).toBe(99_000)
  })

  it.each([
    ['a day', 24 * hourMs, 24 * hourMs, 24 * hourMs],
    ['23 hours', 23 * hourMs, 23 * hourMs, 24 * hourMs],
    ['20 hours', 20 * hourMs, 20 * hourMs, 24 * hourMs],
    ['a day and a second', 24 * hourMs + 1_000, 20 * hourMs, 24 * hourMs],
    ['years', 3 * 365 * 24 * hourMs, 20 * hourMs, 24 * hourMs],
    ['the largest number', 999_999_999_999_999_000, 20 * hourMs, 24 * hourMs],
  ])('spreads the attempts within a day when the header names %s', (_, requestedMs, earliestMs, latestMs) => {
    const delays = [0, 0.25, 0.5, 0.999_999_999_999].map(
      (random) => computeNextState(fresh, wait(requestedMs), { ...timing, random }).delayMs,
    )
    expect([delays[0], delays[3]]).toEqual([earliestMs, latestMs])
    expect(delays).toEqual(delays.toSorted((a, b) => Number(a) - Number(b)))
  })

  it('uses up one pause of the schedule per hour', () => {
    const first = computeNextState(fresh, wait(60_000), timing)
    expect(first).toMatchObject({ retriesUsed: 1, throttledAtMs: nowMs })
    const soon = computeNextState(first, wait(60_000), { ...timing, nowMs: nowMs + hourMs - 1 })
    expect(soon).toMatchObject({ retriesUsed: 1, throttledAtMs: nowMs })
    const later = computeNextState(soon, wait(60_000), { ...timing, nowMs: nowMs + hourMs })
    expect(later).toMatchObject({ retriesUsed: 2, throttledAtMs: nowMs + hourMs })
  })

  it('fails the delivery when the schedule is used up', () => {
    const usedUp = { retriesUsed: 3, throttledAtMs: nowMs }
    expect(computeNextState(usedUp, wait(1_000), { ...timing, nowMs: nowMs + 1_000 }).status).toBe('pending')
    expect(computeNextState(usedUp, wait(1_000), { ...timing, nowMs: nowMs + hourMs }).status).toBe('failed')
  })
})
