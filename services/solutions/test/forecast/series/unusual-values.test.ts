import { describe, expect, it } from '@jest/globals'
import { forecast } from '../../../src/forecast/index.ts'
import { leaveOutUnusual } from '../../../src/forecast/series/unusual/unusual-values.ts'
import { calendarOf } from '../../../src/forecast/time/calendar.ts'
import { dailyFrom, gaussian, hourlyFrom, inputOf, randomOf } from '../signals.ts'

const week = [60, 90, 95, 85, 45, 0, 0]
const horizon = 14
const from = '2026-01-05'

/** Returns 280 days of a usual week, each changed by a factor. */
function daysOf(factorOf: (day: number) => number) {
  const random = randomOf(3)
  return dailyFrom(from, 280, (day) => {
    const noise = 1 + 0.1 * gaussian(random)
    return Math.round((week[day % 7] ?? 0) * factorOf(day) * noise)
  })
}

/** Returns the warnings of a history, without a forecast. */
function warningsOf(factorOf: (day: number) => number, leavesOutOdd = false): string[] {
  const points = daysOf(factorOf)
  const steps = points.map(({ ts }) => ({ startMs: Date.parse(ts), cell: Date.parse(ts) / 86_400_000 }))
  const values = Float64Array.from(points, ({ value }) => value ?? Number.NaN)
  return leaveOutUnusual({ steps, values }, calendarOf('day'), { closed: new Set(), named: new Set(), leavesOutOdd })
    .warnings
}

/** The error is that against the usual week after the history. */
function forecastOf(factorOf: (day: number) => number, calendar: { name: string; dates: string[] }[] = []) {
  const points = daysOf(factorOf)
  const { series, histories, profiles } = forecast(inputOf(points, { frequency: 'day', horizon, calendar }))
  const [one] = series
  if (one === undefined) throw new Error('no series')
  const usual = one.points.map((_, ahead) => week[(280 + ahead) % 7] ?? 0)
  const errors = one.points.map(({ mean }, ahead) => Math.abs(mean - (usual[ahead] ?? Number.NaN)))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const shown = histories[0]?.values ?? []
  return { warnings: one.warnings, error: sum(errors) / sum(usual), shown, hasProfile: profiles[0] !== null }
}

describe('a closure that has ended', () => {
  it.each([
    ['10 days ago, without anyone', 210, 270, 0],
    ['6 weeks ago, with a guard', 180, 238, 0.1],
  ])('does not lower the forecast: %s', (_, since, until, factor) => {
    const { warnings, error, shown, hasProfile } = forecastOf((day) => (day >= since && day < until ? factor : 1))
    expect(error).toBeLessThan(0.12)
    expect(warnings).toEqual([
      expect.stringMatching(/^Almost nothing was counted from 2026-0[78]-\d\d to 2026-\d\d-\d\d: /),
    ])
    expect(hasProfile).toBe(true)
    expect(shown.slice(-91, -70).every((value) => value !== null)).toBe(true)
  })

  it.each([
    ['is a part of the history if it has not ended', (day: number) => (day >= 270 ? 0.1 : 1)],
    ['is none if it returns as often as usual weeks', (day: number) => (day % 35 < 14 ? 0.1 : 1)],
    ['is none of a few days', (day: number) => (day >= 252 && day < 255 ? 0 : 1)],
    ['is none before the first people of a place that grew', (day: number) => 0.05 + day / 280],
  ])('%s', (_, factorOf) => {
    expect(warningsOf(factorOf).filter((warning) => warning.startsWith('Almost nothing'))).toEqual([])
  })

  it('is found in hours too', () => {
    const points = hourlyFrom('2026-01-05T00:00Z', 16 * 168, (instant) => {
      const [day, hour] = [(instant - Date.parse(from)) / 86_400_000, new Date(instant).getUTCHours()]
      const isOpen = day % 7 < 5 && hour >= 8 && hour < 18
      return isOpen && !(day >= 63 && day < 91) ? 20 + ((7 * hour) % 23) : 0
    })
    const [series] = forecast(inputOf(points, { horizon: 24 })).series
    expect(series?.warnings).toEqual([
      'Almost nothing was counted from 2026-03-09 to 2026-04-03: the forecast does not rest on these days.',
    ])
  })
})

describe('a counter that hangs', () => {
  const officeHours = (valueAt: (hour: number, value: number) => number) =>
    hourlyFrom('2026-01-05T00:00Z', 15 * 168, (instant) => {
      const hour = (instant - Date.parse(from)) / 3_600_000
      const isOpen = hour % 168 < 120 && hour % 24 > 7 && hour % 24 < 18
      return valueAt(hour, isOpen ? 20 + ((7 * hour) % 23) : 0)
    })
  const seriesOf = (points: ReturnType<typeof officeHours>) => forecast(inputOf(points, { horizon: 24 })).series[0]

  it('is left out, with its value and its length', () => {
    const usual = seriesOf(officeHours((_, value) => value))
    const hanging = seriesOf(officeHours((hour, value) => (hour >= 15 * 168 - 80 ? 37 : value)))
    expect(usual?.warnings).toEqual([])
    expect(hanging?.warnings).toEqual([
      'The value 37 repeats for 80 hours from 2026-04-16 16:00 on, as a counter that hangs would show: they were left out.',
    ])
    const sumOf = (series: typeof usual) => series?.points.reduce((sum, { mean }) => sum + mean, 0) ?? 0
    expect(Math.abs(sumOf(hanging) / sumOf(usual) - 1)).toBeLessThan(0.1)
  })

  it('is none where such values return, as what a building uses on each weekend', () => {
    const points = officeHours((hour, value) => (hour % 168 >= 120 ? 37 : value + 1))
    expect(seriesOf(points)?.warnings).toEqual([])
  })
})

describe('a change of the level', () => {
  const changes = (factorOf: (day: number) => number) =>
    warningsOf(factorOf).map((warning) => /^The values of (.+?) of the weeks before\./.exec(warning)?.[1])

  it.each([
    [
      'of two weeks down',
      (day: number) => (day >= 266 ? 0.5 : 1),
      [expect.stringMatching(/^the last 2 weeks are (4[5-9]|5[0-5]) % below those$/)],
    ],
    [
      'of a week up',
      (day: number) => (day >= 273 ? 1.7 : 1),
      [expect.stringMatching(/^the last week are [678]\d % above those$/)],
    ],
    ['that is small', (day: number) => (day >= 266 ? 1.15 : 1), []],
    ['as often before', (day: number) => (Math.floor(day / 14) % 2 === 0 ? 1.5 : 1), []],
    ['by steady growth', (day: number) => 1 + day / 280, []],
  ])('is said with its size: %s', (_, factorOf, expected) => {
    expect(changes(factorOf)).toEqual(expected)
  })
})

it('new days at the office are said with their weekdays', () => {
  const policy = [0.3, 1, 1, 1.1, 2.2, 1, 1]
  const [warning] = warningsOf((day) => (day >= 266 ? (policy[day % 7] ?? 1) : 1))
  expect(warning).toMatch(
    /^The values of the last 2 weeks are [67]\d % below those of the weeks before on Mondays, and 1[0-4]\d % above those of the weeks before on Fridays\. /,
  )
  expect(warningsOf((day) => (day >= 266 && day % 7 === 0 ? 0.3 : 1))).toEqual([])
})

describe('a day of the last week with far fewer than usual', () => {
  // A Tuesday and a Friday of the last week, of 40 weeks.
  it.each([274, 277])('is left out and named: day %d', (odd) => {
    const warnings = warningsOf((day) => (day === odd ? 0.15 : 1), true)
    expect(warnings).toEqual([expect.stringMatching(/^Far fewer than usual were counted on 2026-10-\d\d: /)])
  })

  it.each<[string, (day: number) => number]>([
    ['in two weeks', (day) => (day === 267 || day === 274 ? 0.15 : 1)],
    ['with most days of the week', (day) => (day >= 273 && day < 276 ? 0.15 : 1)],
    ['as on others of its weekday', (day) => (day === 274 || day === 239 ? 0.15 : 1)],
    ['long ago', (day) => (day === 253 ? 0.15 : 1)],
  ])('is none if it comes %s', (_, factorOf) => {
    expect(warningsOf(factorOf, true).filter((warning) => warning.startsWith('Far fewer'))).toEqual([])
  })
})

it('a value of a named kind of day is no outlier', () => {
  const day = (number: number) => new Date(Date.parse(from) + number * 86_400_000).toISOString().slice(0, 10)
  const factorOf = (number: number) => (number === 254 ? 7 : 1)
  expect(forecastOf(factorOf).warnings[0]).toMatch(/ is far above all others and was left out/)
  expect(forecastOf(factorOf, [{ name: 'fair', dates: [day(254)] }]).warnings).toEqual([])
})
