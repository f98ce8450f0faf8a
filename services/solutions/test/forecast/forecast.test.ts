import { describe, expect, it } from '@jest/globals'
import {
  type ForecastInput,
  type ForecastSeries,
  findTooShort,
  forecast,
  minimumLength,
} from '../../src/forecast/index.ts'
import {
  boundsOf,
  dailyFrom,
  gaussian,
  hourlyFrom,
  inputOf,
  officeHours,
  poisson,
  randomOf,
  wallClock,
} from './signals.ts'

function one(input: ForecastInput): ForecastSeries {
  const [series] = forecast(input).series
  if (!series) throw new Error('no series came back')
  return series
}

const utc = wallClock('UTC')
const start = '2024-01-01T00:00Z'

describe('known answers', () => {
  it('continues a pure weekly pattern exactly', () => {
    const series = one(inputOf(hourlyFrom(start, 8 * 168, (at) => officeHours(utc(at)))))
    expect(series.points).toHaveLength(168)
    for (const { ts, mean } of series.points) expect(mean).toBeCloseTo(officeHours(utc(Date.parse(ts))), 9)
    expect(series.accuracy).toMatchObject({ mase: 0, wape: 0, baseline: { name: 'seasonal_naive_week' } })
    expect(series.points[0]?.ts).toBe('2024-02-26T00:00:00.000Z')
  })

  it.each([
    ['America/Los_Angeles', 'spring', '2024-01-15T08:00Z', '2024-03-10'],
    ['Europe/Berlin', 'autumn', '2024-09-01T22:00Z', '2024-10-27'],
  ])('keeps to the wall clock through the change: %s in %s', (timezone, season, from, changeDate) => {
    const clock = wallClock(timezone)
    const valueAt = (at: number): number => officeHours(clock(at))
    // The clock change is in the forecast, then in the history.
    for (const weeks of [7, 9]) {
      const series = one(inputOf(hourlyFrom(from, weeks * 168, valueAt), { timezone, horizon: 200 }))
      for (const { ts, mean } of series.points) expect(mean).toBeCloseTo(valueAt(Date.parse(ts)), 6)
      expect(series.data_quality).toMatchObject({ length: weeks * 168, gaps: 0, duplicates: 0, imputed: 0 })
      const hours = series.points.filter(({ ts }) => clock(Date.parse(ts)).date === changeDate).length
      if (weeks === 7) expect(hours).toBe(season === 'spring' ? 23 : 25)
    }
  })

  it('forecasts zero for a series of zeros', () => {
    const series = one(inputOf(hourlyFrom(start, 5 * 168, () => 0)))
    expect(series.points.every(({ mean, upper_95 }) => mean === 0 && upper_95 === 0)).toBe(true)
    expect(series.accuracy).toMatchObject({ mase: 0, wape: 0, coverage_80: 1, coverage_95: 1 })
  })

  it('forecasts a daily trend better than the naive model', () => {
    const random = randomOf(5)
    const series = one(
      inputOf(
        dailyFrom('2023-01-01', 300, (day) => 200 + day + 30 * (day % 7) + 10 * gaussian(random)),
        { frequency: 'day', horizon: 14 },
      ),
    )
    expect(series.accuracy?.mase ?? 9).toBeLessThan(0.8 * (series.accuracy?.baseline.mase ?? 0))
    for (const [ahead, { mean }] of series.points.entries()) {
      const day = 300 + ahead
      expect(Math.abs(mean - (200 + day + 30 * (day % 7)))).toBeLessThan(15)
    }
  })

  it('detects the yearly season of weekly data', () => {
    const random = randomOf(6)
    const valueAt = (week: number): number => 100 + 40 * Math.sin((2 * Math.PI * week) / 52)
    const points = Array.from({ length: 220 }, (_, week) => ({
      ts: new Date(Date.UTC(2020, 0, 6) + week * 604_800_000).toISOString().slice(0, 10),
      value: valueAt(week) + 5 * gaussian(random),
    }))
    const series = one(inputOf(points, { frequency: 'week', horizon: 8 }))
    expect(series.accuracy?.baseline.name).toBe('seasonal_naive_year')
    for (const [ahead, { mean }] of series.points.entries())
      expect(Math.abs(mean - valueAt(220 + ahead))).toBeLessThan(10)
  })
})

describe('the result', () => {
  const random = randomOf(1)
  const points = hourlyFrom(start, 6 * 168, (at) => poisson(random, officeHours(utc(at)) + 0.2))

  it('has nested bounds for each requested level, within zero and capacity', () => {
    const series = one(inputOf(points, { levels: [0.99, 0.5, 0.8, 0.95], capacity: 35, horizon: 48 }))
    for (const point of series.points) {
      expect(Object.keys(point)).toHaveLength(10)
      const all = [50, 80, 95, 99].map((percent) => boundsOf(point, percent))
      const ascending = [0, ...all.map(([lower]) => lower).reverse(), point.mean, ...all.map(([, upper]) => upper), 35]
      expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
    }
    expect(Math.max(...series.points.map(({ upper_99 }) => upper_99 ?? 0))).toBe(35)
  })

  it('warns when the history is above the capacity', () => {
    const { warnings } = one(
      inputOf(
        hourlyFrom(start, 6 * 168, (at) => 10 + (utc(at).hour % 5)),
        { capacity: 12 },
      ),
    )
    expect(warnings).toContain('The highest value, 14, is above the capacity of 12; the forecast stays at or below it.')
  })

  it('may be negative when the history is', () => {
    const frost = hourlyFrom(start, 4 * 168, (at) => -5 + 3 * Math.sin(at / 1e7))
    expect(one(inputOf(frost, { horizon: 24 })).points.every(({ mean }) => mean < 0)).toBe(true)
  })

  it('lists the combination of the models first, then the models, best first', () => {
    const { model, accuracy } = one(inputOf(points))
    const names = model?.candidates.map(({ name }) => name)
    expect(names?.[0]).toBe(model?.selected)
    expect(names?.toSorted()).toEqual([
      'combination',
      'daily_difference_ar',
      'online_profile_ar',
      'seasonal_naive_week',
      'weekly_profile_ar',
      'weekly_profile_ar_sqrt',
      'weekly_profile_level',
    ])
    const [selected, ...others] = model?.candidates.map(({ mase }) => mase ?? Number.NaN) ?? []
    expect(others).toEqual(others.toSorted((a, b) => a - b))
    expect(accuracy?.mase).toBe(selected)
    expect(selected).toBeLessThan(1.05 * (others[0] ?? 0))
    expect((accuracy?.mase ?? 9) / (accuracy?.baseline.mase ?? 0)).toBeLessThan(0.85)
  })

  it('is deterministic and reports progress', () => {
    const input = { ...inputOf(points), series: ['a', 'b'].map((name) => ({ key: { name }, points })) }
    const heard: number[] = []
    const first = forecast(input, (fraction) => heard.push(fraction))
    expect(first).toEqual(forecast(input))
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
    expect(heard.at(-1)).toBe(1)
    expect(heard.length).toBeGreaterThan(6)
  })
})

describe('a short history', () => {
  it.each([
    ['hour', 24, 336],
    ['hour', 336, 504],
    ['day', 7, 28],
    ['week', 4, 12],
  ] as const)('is enough from %s, %i ahead: %i', (frequency, horizon, least) => {
    expect(minimumLength(frequency, horizon)).toBe(least)
    const spacing = { hour: 1, day: 24, week: 168 }[frequency]
    const random = randomOf(2)
    const all = Array.from({ length: least }, (_, step) => ({
      ts: new Date(Date.parse('2024-01-01T00:00Z') + step * spacing * 3_600_000).toISOString(),
      value: 50 + 10 * gaussian(random),
    }))
    const series = one(inputOf(all, { frequency, horizon }))
    expect(series.error).toBeUndefined()
    expect(series.points).toHaveLength(horizon)
    expect(one(inputOf(all.slice(1), { frequency, horizon })).error).toMatchObject({
      code: 'series_too_short',
      retryable: false,
      required: least,
      available: least - 1,
    })
  })

  it('is an error of that series only', () => {
    const long = hourlyFrom(start, 400, (at) => officeHours(utc(at)))
    const input = inputOf(long, { horizon: 24 })
    input.series.push({ key: { building: 'south' }, points: long.slice(0, 30) }, { key: {}, points: [] })
    const { series } = forecast(input)
    expect(series.map(({ error }) => error?.available)).toEqual([undefined, 30, 0])
    expect(series[1]).toMatchObject({ points: [], model: null, accuracy: null })
    const found = findTooShort(input)
    expect(found.map(({ key }) => key)).toEqual([{ building: 'south' }, {}])
    expect(found[0]?.message).toBe('The series needs at least 2 weeks of history and has 30 hours.')
  })

  it('is detected when a long series is mostly gaps', () => {
    const daily = dailyFrom('2024-01-01', 60, (day) => day)
    expect(one(inputOf(daily, { aggregation: 'mean' })).error).toMatchObject({ required: 336, available: 60 })
  })
})

it('rejects invalid parameters', () => {
  const points = hourlyFrom(start, 400, () => 1)
  expect(() => forecast(inputOf(points, { timezone: 'Mars/Olympus' }))).toThrow('not a known time zone')
  expect(() => forecast(inputOf(points, { horizon: 0 }))).toThrow('horizon')
})
