import { expect, it } from '@jest/globals'
import { type ForecastInput, type ForecastSeries, forecast } from '../../src/forecast/index.ts'
import { hourlyFrom, inputOf, officeHours, poisson, randomOf, wallClock } from './signals.ts'

const timezone = 'Europe/Berlin'
const clock = wallClock(timezone)
/** A Wednesday in the history, and one in the forecast week. */
const past = '2024-05-01'
const coming = '2024-05-29'

/** Open at half strength on the past holiday; the history ends on Sunday 26 May. */
function history(): ForecastInput {
  const random = randomOf(3)
  const points = hourlyFrom('2024-03-31T22:00Z', 8 * 168, (at) => {
    const wall = clock(at)
    return poisson(random, officeHours(wall) * (wall.date === past ? 0.4 : 1))
  })
  return inputOf(points, { timezone })
}

const totalOn = (date: string, series: ForecastSeries | undefined): number =>
  series?.points.reduce((sum, { ts, mean }) => sum + (clock(Date.parse(ts)).date === date ? mean : 0), 0) ?? 0

const usual = Array.from({ length: 24 }, (_, hour) => officeHours({ weekday: 2, hour, date: '' })).reduce(
  (a, b) => a + b,
)

it('forecasts a future holiday like the past one', () => {
  const [series] = forecast({ ...history(), holidays: [past, coming] }).series
  expect(totalOn(coming, series) / usual).toBeGreaterThan(0.3)
  expect(totalOn(coming, series) / usual).toBeLessThan(0.5)
  expect(totalOn('2024-05-30', series) / usual).toBeGreaterThan(0.8)
})

it('forecasts a first holiday like the quietest weekday', () => {
  const [series] = forecast({ ...history(), holidays: [coming] }).series
  expect(totalOn(coming, series) / usual).toBeLessThan(0.1)
})

it('forecasts an ordinary day when it is not declared a holiday', () => {
  const [series] = forecast(history()).series
  expect(totalOn(coming, series) / usual).toBeGreaterThan(0.8)
})

it('warns that holidays have no effect on weekly forecasts', () => {
  const [series] = forecast({ ...history(), frequency: 'week', horizon: 1, holidays: [coming] }).series
  expect(series?.error?.code).toBe('series_too_short')
  const long = { ...history(), frequency: 'week' as const, horizon: 1, holidays: [coming] }
  long.series = [{ key: {}, points: hourlyFrom('2023-10-01T22:00Z', 30 * 168, (at) => officeHours(clock(at))) }]
  expect(forecast(long).series[0]?.warnings).toContain('Holidays have no effect on weekly forecasts.')
})
