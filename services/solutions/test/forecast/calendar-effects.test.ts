import { describe, expect, it } from '@jest/globals'
import { type ForecastInput, type ForecastSeries, forecast } from '../../src/forecast/index.ts'
import { dailyFrom, hourlyFrom, inputOf, officeHours, poisson, randomOf, wallClock } from './signals.ts'

const start = '2025-01-06'
const days = 140
const dateOf = (day: number): string => new Date(Date.parse(start) + day * 86_400_000).toISOString().slice(0, 10)
/** Fridays in the history, far apart, and one in the week of the forecast. */
const bridgeDays = [18, 53, 88, 116].map(dateOf)
const coming = dateOf(days + 4)

function dailyInput(seed: number, factor: number, more: Partial<ForecastInput> = {}): ForecastInput {
  const random = randomOf(seed)
  const points = dailyFrom(start, days, (day) => {
    const usual = [200, 210, 205, 200, 180, 0, 0][day % 7] ?? 0
    return poisson(random, usual * (bridgeDays.includes(dateOf(day)) ? factor : 1))
  })
  return inputOf(points, { frequency: 'day', horizon: 7, ...more })
}

const seriesOf = (input: ForecastInput): ForecastSeries => {
  const [series] = forecast(input).series
  if (series === undefined) throw new Error('no series was returned')
  return series
}
const meanOn = (date: string, { points }: ForecastSeries): number =>
  points.find(({ ts }) => ts.startsWith(date))?.mean ?? Number.NaN
const calendar = [{ name: 'bridge days', dates: [...bridgeDays, coming] }]

describe('a calendar effect', () => {
  it.each([1, 2, 3])('is learned and applied to the coming days (seed %d)', (seed) => {
    const series = seriesOf(dailyInput(seed, 0.6, { calendar }))
    expect(series.calendar_effects).toEqual([
      { name: 'bridge days', days: 4, effect: expect.closeTo(-0.4, 0), applied: true },
    ])
    expect(meanOn(coming, series) / 180).toBeGreaterThan(0.5)
    expect(meanOn(coming, series) / 180).toBeLessThan(0.7)
    expect(meanOn(dateOf(days + 3), series) / 200).toBeGreaterThan(0.9)
  })

  it('raises the coming days when there is more', () => {
    const series = seriesOf(dailyInput(4, 1.5, { calendar }))
    expect(series.calendar_effects).toMatchObject([{ applied: true }])
    expect(meanOn(coming, series) / 180).toBeGreaterThan(1.3)
  })

  it.each([1, 2, 3, 4, 5, 6])('is not applied when the days are usual ones (seed %d)', (seed) => {
    const series = seriesOf(dailyInput(seed, 1, { calendar }))
    expect(series.calendar_effects).toMatchObject([{ days: 4, applied: false }])
    const without = seriesOf(dailyInput(seed, 1))
    expect(series.points).toEqual(without.points)
    expect(without).not.toHaveProperty('calendar_effects')
  })

  it('is not applied after a single day, and is unknown without any', () => {
    const first = bridgeDays.slice(0, 1)
    const series = seriesOf(
      dailyInput(1, 0.6, {
        calendar: [
          { name: 'one', dates: first },
          { name: 'none', dates: [coming] },
        ],
      }),
    )
    expect(series.calendar_effects).toEqual([
      { name: 'one', days: 1, effect: expect.any(Number), applied: false },
      { name: 'none', days: 0, effect: null, applied: false },
    ])
  })

  it('gives a date to the first kind, and to none if it is a holiday', () => {
    const two = [...calendar, { name: 'other', dates: bridgeDays }]
    const series = seriesOf(dailyInput(1, 0.6, { calendar: two, holidays: bridgeDays.slice(0, 1) }))
    expect(series.calendar_effects?.map(({ name, days: count }) => [name, count])).toEqual([
      ['bridge days', 3],
      ['other', 0],
    ])
  })

  it('applies to the hours of the coming days', () => {
    const clock = wallClock('UTC')
    const random = randomOf(9)
    const points = hourlyFrom(`${start}T00:00Z`, days * 24, (at) => {
      const wall = clock(at)
      return poisson(random, officeHours(wall) * (bridgeDays.includes(wall.date) ? 0.5 : 1))
    })
    const series = seriesOf(inputOf(points, { calendar }))
    const total = (date: string): number =>
      series.points.reduce((sum, { ts, mean }) => sum + (ts.startsWith(date) ? mean : 0), 0)
    expect(total(coming) / total(dateOf(days + 3))).toBeLessThan(0.6)
  })
})

describe('a closure', () => {
  const closedDates = [dateOf(days - 6), dateOf(days + 1)]
  /** The last Tuesday was closed: no one came. */
  const closedInput = (dates?: string[]): ForecastInput => {
    const input = dailyInput(5, 1)
    const points = (input.series[0]?.points ?? []).map((point) =>
      point.ts === closedDates[0] ? { ...point, value: 0 } : point,
    )
    return { ...input, series: [{ key: {}, points, ...(dates === undefined ? {} : { closedDates: dates }) }] }
  }

  it('makes the forecast zero, with intervals of zero', () => {
    const series = seriesOf(closedInput(closedDates))
    expect(series.points[1]).toEqual({
      ts: `${closedDates[1]}T00:00:00.000Z`,
      mean: 0,
      lower_80: 0,
      upper_80: 0,
      lower_95: 0,
      upper_95: 0,
    })
    expect(series.points[0]?.mean).toBeGreaterThan(150)
  })

  it('takes past values out of training', () => {
    const usual = seriesOf(dailyInput(5, 1))
    const excluded = seriesOf(closedInput(closedDates.slice(0, 1)))
    const included = seriesOf(closedInput())
    expect(Math.abs((excluded.points[1]?.mean ?? 0) - (usual.points[1]?.mean ?? 0))).toBeLessThan(5)
    expect(excluded.accuracy?.wape).toBeLessThan(included.accuracy?.wape ?? 0)
  })

  it('gives no recommendation about closed days', () => {
    const [profile] = forecast(closedInput(closedDates)).profiles
    expect(profile?.coming.map(({ isUsual }) => isUsual)).toEqual([true, false, true, true, true, true, true])
    expect(profile?.coming[1]).toMatchObject({ peak: 0 })
  })

  it('has no effect on weekly forecasts, with a warning', () => {
    const input = { ...closedInput(closedDates), frequency: 'week' as const, horizon: 1, calendar }
    expect(seriesOf(input).warnings).toEqual(
      expect.arrayContaining([
        'Closures have no effect on weekly forecasts.',
        'Calendar effects have no effect on weekly forecasts.',
      ]),
    )
  })
})
