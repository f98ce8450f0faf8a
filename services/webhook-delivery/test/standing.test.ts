import { describe, expect, it } from '@jest/globals'
import { adviceFor, type Conclusion, type CountedEnd, type Standing, standingAfter } from '../src/delivery/standing.ts'

const startMs = Date.UTC(2026, 0, 5)
const hours = (count: number) => startMs + count * 3_600_000
const fresh: Standing = { wellAtMs: startMs, failedAttempts: 0, failingSinceMs: null, refusals: 0, concluded: [] }
const failed: CountedEnd = { succeeded: false, statusCode: 500 }
const refused: CountedEnd = { succeeded: false, statusCode: 401 }
const succeeded: CountedEnd = { succeeded: true, statusCode: 200 }

/** Takes the endpoint through attempts at these hours, and says what was concluded at which. */
function through(steps: readonly [CountedEnd, number][], from: Standing = fresh) {
  let standing = from
  const concluded: [number, Conclusion][] = []
  for (const [end, hour] of steps) {
    const after = standingAfter(standing, end, hours(hour))
    standing = after.standing
    for (const each of after.conclusions) concluded.push([hour, each])
  }
  return { standing, concluded }
}

const every = (stepHours: number, count: number, end: CountedEnd, fromHour = 0): [CountedEnd, number][] =>
  Array.from({ length: count }, (_, index) => [end, fromHour + index * stepHours])

describe('an endpoint that fails', () => {
  it('is disabled when 20 attempts failed, for 12 hours or more, and none succeeded for 5 days', () => {
    const { concluded } = through(every(6, 30, failed))
    expect(concluded).toEqual([
      [24, 'failing_1_day'],
      [72, 'failing_3_days'],
      [120, 'disable'],
    ])
  })

  it('is not while any of the three is missing', () => {
    const disabled = (...all: [CountedEnd, number][][]) =>
      through(all.flat()).concluded.some(([, each]) => each === 'disable')
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
    const first = through(every(6, 40, failed))
    expect(first.concluded).toHaveLength(3)
    const again = through([[succeeded, 300], ...every(6, 5, failed, 301)], first.standing)
    expect(again.concluded).toEqual([[325, 'failing_1_day']])
  })
})

describe('an endpoint that refuses', () => {
  it('is said to at the fifth answer 401 or 403 in a row, with another advice', () => {
    const { concluded, standing } = through([
      ...every(0, 4, refused),
      [failed, 0],
      ...every(0, 4, refused),
      [{ succeeded: false, statusCode: 403 }, 1],
      ...every(0, 9, refused),
    ])
    expect(concluded).toEqual([[1, 'refused']])
    expect(adviceFor(standing)).toBe('rotate_secret')
    expect(adviceFor(through(every(1, 30, failed)).standing)).toBe('check_endpoint')
  })
})
