import { expect, it } from '@jest/globals'
import type { ForecastInput, InputPoint, InputSeries } from '../../../src/forecast/index.ts'
import { regularize } from '../../../src/forecast/series/regularize.ts'
import { gaussian, poisson, randomOf } from '../signals.ts'

const random = randomOf(7)

/** The people in a building every five minutes of two weeks: they come in the morning and leave in the evening. */
function levels(): InputPoint[] {
  return everyFiveMinutes((hour) => {
    const share = Math.max(0, Math.min(1, (hour - 7) / 2, (19 - hour) / 2))
    return Math.round(share * 148 + (share > 0 ? 1.5 * gaussian(random) : 0))
  })
}

function everyFiveMinutes(valueAt: (hour: number) => number): InputPoint[] {
  return Array.from({ length: 14 * 288 }, (_, index) => ({
    ts: new Date(Date.UTC(2024, 0, 1) + index * 300_000).toISOString(),
    value: valueAt((index % 288) / 12),
  }))
}

const warningsOf = (
  series: Omit<InputSeries, 'key'>,
  aggregation: ForecastInput['aggregation'] = 'sum',
): { warnings: string[]; doubt: string | null } =>
  regularize({ key: {}, ...series }, { frequency: 'hour', aggregation, timezone: 'UTC', horizon: 24 })

it('the sum of a level is warned of with its arithmetic when the values show it', () => {
  const { warnings, doubt } = warningsOf({ points: levels() })
  expect(warnings).toEqual([
    expect.stringMatching(
      /^12 values of 5 minutes were added to an hour: 1,\d\d\d for a highest single value of 15\d\. .*set `measure` to `level`/,
    ),
  ])
  expect(doubt).toBe('its sums may count the same people several times')
})

it('the sum of a level is warned of when the building opens and closes at once', () => {
  const cleared = everyFiveMinutes((hour) => (hour > 8 && hour < 18 ? Math.round(125 + 2 * gaussian(random)) : 0))
  expect(warningsOf({ points: cleared }).warnings).toEqual([
    expect.stringMatching(/^12 values of 5 minutes were added/),
  ])
})

it.each([
  ['half hour', 0.5, 'hour', /^2 values of 30 minutes were added to an hour: [23]\d\d /],
  ['two hours', 2, 'day', /^12 values of 2 hours were added to a day/],
] as const)('the sum of a level is warned of when it is read every %s', (_pace, hours, frequency, warning) => {
  const present = readings(hours, 'present')
  const options = { frequency, aggregation: 'sum', timezone: 'UTC', horizon: 24 } as const
  expect(regularize({ key: {}, points: present }, options).warnings).toContainEqual(expect.stringMatching(warning))
  const arrived = regularize({ key: {}, points: readings(hours, 'arrived') }, options)
  expect(arrived).toMatchObject({ warnings: [], doubt: null })
})

/** People who come about nine and stay about eight hours: those present every so many hours, or who came since. */
function readings(hours: number, measure: 'present' | 'arrived'): InputPoint[] {
  const values = Array.from({ length: (42 * 24) / hours }, () => 0)
  for (let day = 0; day < 42; day += 1) {
    const isWorkday = day % 7 < 5
    for (let person = poisson(random, isWorkday ? 120 + 30 * random() : 12); person > 0; person -= 1) {
      const from = day * 24 + 9 + 0.7 * gaussian(random)
      const until = measure === 'present' ? from + 8 + gaussian(random) : from + hours
      for (let at = Math.ceil(from / hours); at * hours < until; at += 1) values[at] = (values[at] ?? 0) + 1
    }
  }
  const start = Date.UTC(2024, 0, 1)
  return values.map((value, index) => ({ ts: new Date(start + index * hours * 3_600_000).toISOString(), value }))
}

it('the sum of a level is warned of when the measure or the name of the column states a level', () => {
  const few = levels().filter((_, index) => index % 72 === 0)
  const byDay = (series: Omit<InputSeries, 'key'>) =>
    regularize({ key: {}, ...series }, { frequency: 'day', aggregation: 'sum', timezone: 'UTC', horizon: 7 }).warnings
  expect(byDay({ points: few })).toEqual([])
  expect(byDay({ points: few, measure: 'level' })).toEqual([
    expect.stringMatching(/^4 values of 6 hours were added to a day/),
  ])
})

it('the sum of a level is not warned of when nothing is added over time', () => {
  const hourly = levels().filter((_, index) => index % 12 === 0)
  const twoBuildings = hourly.flatMap((point) => [point, { ...point, value: 1 + (point.value ?? 0) }])
  expect(warningsOf({ points: hourly, measure: 'level' })).toMatchObject({ warnings: [], doubt: null })
  expect(warningsOf({ points: twoBuildings, measure: 'level' }).warnings).toEqual([
    expect.stringContaining('have the timestamp of another one'),
  ])
  expect(warningsOf({ points: levels() }, 'max')).toMatchObject({ warnings: [], doubt: null })
})

it('the sum of a flow is not warned of when arrivals are counted every five minutes', () => {
  const arrivals = everyFiveMinutes((hour) => (hour > 7 && hour < 19 ? poisson(random, 20) : 0))
  expect(warningsOf({ points: arrivals })).toMatchObject({ warnings: [], doubt: null })
  expect(warningsOf({ points: levels(), measure: 'flow' })).toMatchObject({ warnings: [], doubt: null })
})
