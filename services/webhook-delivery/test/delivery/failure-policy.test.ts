import { describe, expect, it } from '@jest/globals'
import {
  adviceFor,
  applyFailurePolicy,
  type CountedAttempt,
  type FailureAction,
  type FailureHistory,
} from '../../src/delivery/failure-policy.ts'

const startMs = Date.UTC(2026, 0, 5)
const hours = (count: number) => startMs + count * 3_600_000
const fresh: FailureHistory = {
  lastHealthyAtMs: startMs,
  failedAttempts: 0,
  failingSinceMs: null,
  authFailures: 0,
  triggeredActions: [],
}
const failed: CountedAttempt = { succeeded: false, statusCode: 500 }
const refused: CountedAttempt = { succeeded: false, statusCode: 401 }
const succeeded: CountedAttempt = { succeeded: true, statusCode: 200 }

/** Takes the endpoint through attempts at these hours, and says what was concluded at which. */
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

describe('an endpoint that fails', () => {
  it('is disabled when 20 attempts failed, for 12 hours or more, and none succeeded for 5 days', () => {
    const { triggeredActions } = runThrough(every(6, 30, failed))
    expect(triggeredActions).toEqual([
      [24, 'failing_1_day'],
      [72, 'failing_3_days'],
      [120, 'disable'],
    ])
  })

  it('is not while any of the three is missing', () => {
    const disabled = (...all: [CountedAttempt, number][][]) =>
      runThrough(all.flat()).triggeredActions.some(([, each]) => each === 'disable')
    // 19 attempts, over six days.
    expect(disabled(every(8, 19, failed))).toBe(false)
    expect(disabled(every(8, 20, failed))).toBe(true)
    // Hundreds, but only within 11 hours; the last success six days before.
    expect(disabled([[succeeded, 0]], every(0.05, 220, failed, 144))).toBe(false)
    expect(disabled([[succeeded, 0]], every(0.05, 242, failed, 144))).toBe(true)
    // One success in five days.
    expect(disabled(every(1, 60, failed), [[succeeded, 60]], every(1, 119, failed, 61))).toBe(false)
    expect(disabled(every(1, 60, failed), [[succeeded, 60]], every(1, 121, failed, 61))).toBe(true)
  })

  it('concludes each once, and again only after it was well', () => {
    const first = runThrough(every(6, 40, failed))
    expect(first.triggeredActions).toHaveLength(3)
    const again = runThrough([[succeeded, 300], ...every(6, 5, failed, 301)], first.history)
    expect(again.triggeredActions).toEqual([[325, 'failing_1_day']])
  })
})

describe('an endpoint that refuses', () => {
  it('is said to at the fifth answer 401 or 403 in a row, with another advice', () => {
    const { triggeredActions, history } = runThrough([
      ...every(0, 4, refused),
      [failed, 0],
      ...every(0, 4, refused),
      [{ succeeded: false, statusCode: 403 }, 1],
      ...every(0, 9, refused),
    ])
    expect(triggeredActions).toEqual([[1, 'refused']])
    expect(adviceFor(history)).toBe('rotate_secret')
    expect(adviceFor(runThrough(every(1, 30, failed)).history)).toBe('check_endpoint')
  })
})
