import { describe, expect, it } from '@jest/globals'
import {
  adviceFor,
  applyFailurePolicy,
  type CountedAttempt,
  type FailureHistory,
} from '../../src/delivery/failure-policy.ts'
import type { FailureAction } from '../../src/store/endpoints/pending-actions.ts'

const startMs = Date.UTC(2026, 0, 5)
const hours = (count: number) => startMs + count * 3_600_000
const fresh: FailureHistory = {
  lastHealthyAtMs: startMs,
  failedAttempts: 0,
  failingSinceMs: null,
  authFailures: 0,
  triggeredActions: [],
}
const failed: CountedAttempt = { hasSucceeded: false, statusCode: 500 }
const refused: CountedAttempt = { hasSucceeded: false, statusCode: 401 }
const succeeded: CountedAttempt = { hasSucceeded: true, statusCode: 200 }

/** Applies attempts at these hours. Returns the history and the actions, with the hour each was triggered at. */
function runThrough(steps: readonly [CountedAttempt, number][], from: FailureHistory = fresh) {
  let history = from
  const triggeredActions: [number, FailureAction][] = []
  for (const [end, hour] of steps) {
    const after = applyFailurePolicy(history, end, hours(hour))
    history = after.history
    for (const each of after.actions) triggeredActions.push([hour, each])
  }
  return { history, triggeredActions }
}

const every = (stepHours: number, count: number, end: CountedAttempt, fromHour = 0): [CountedAttempt, number][] =>
  Array.from({ length: count }, (_, index) => [end, fromHour + index * stepHours])

describe('a failing endpoint', () => {
  it('is disabled after 20 failures over at least 12 hours without a success for 5 days', () => {
    const { triggeredActions } = runThrough(every(6, 30, failed))
    expect(triggeredActions).toEqual([
      [24, 'failing_1_day'],
      [72, 'failing_3_days'],
      [120, 'disable'],
    ])
  })

  it('is not disabled when one of the three conditions is not met', () => {
    const disabled = (...all: [CountedAttempt, number][][]) =>
      runThrough(all.flat()).triggeredActions.some(([, each]) => each === 'disable')
    // 19 attempts over six days.
    expect(disabled(every(8, 19, failed))).toBe(false)
    expect(disabled(every(8, 20, failed))).toBe(true)
    // Hundreds of attempts within 11 hours; the last success was six days before.
    expect(disabled([[succeeded, 0]], every(0.05, 220, failed, 144))).toBe(false)
    expect(disabled([[succeeded, 0]], every(0.05, 242, failed, 144))).toBe(true)
    // One success within five days.
    expect(disabled(every(1, 60, failed), [[succeeded, 60]], every(1, 119, failed, 61))).toBe(false)
    expect(disabled(every(1, 60, failed), [[succeeded, 60]], every(1, 121, failed, 61))).toBe(true)
  })

  it('triggers each action once, and again only after a success', () => {
    const first = runThrough(every(6, 40, failed))
    expect(first.triggeredActions).toHaveLength(3)
    const again = runThrough([[succeeded, 300], ...every(6, 5, failed, 301)], first.history)
    expect(again.triggeredActions).toEqual([[325, 'failing_1_day']])
  })
})

describe('an endpoint that responds 401 or 403', () => {
  it('triggers a notice with its own advice at the fifth consecutive response', () => {
    const { triggeredActions, history } = runThrough([
      ...every(0, 4, refused),
      [failed, 0],
      ...every(0, 4, refused),
      [{ hasSucceeded: false, statusCode: 403 }, 1],
      ...every(0, 9, refused),
    ])
    expect(triggeredActions).toEqual([[1, 'refused']])
    expect(adviceFor(history)).toBe('rotate_secret')
    expect(adviceFor(runThrough(every(1, 30, failed)).history)).toBe('check_endpoint')
  })
})
