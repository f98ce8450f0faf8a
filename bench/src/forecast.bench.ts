import { existsSync, readFileSync } from 'node:fs'
import { forecast, type InputPoint } from '../../services/solutions/src/forecast/index.ts'
import {
  gaussian,
  hourlyFrom,
  inputOf,
  officeHours,
  poisson,
  randomOf,
} from '../../services/solutions/test/forecast/signals.ts'
import { type Row, report } from './harness/report.ts'

/** Half-hourly counts of people at a door (CalIt2, UCI Machine Learning Repository); not part of the repository. */
const file = new URL('../../../shared/data/calit2-half-hourly.csv', import.meta.url)
const hourMs = 3_600_000
const start = Date.UTC(2024, 0, 1)
const historyHours = 9 * 168

/** An hourly series in UTC that starts on a Monday at midnight. */
interface HourlySeries {
  name: string
  values: number[]
}

/**
 * Measures the accuracy and the time of forecasts of one week and of one day, from several origins in each series. The
 * forecasts are compared with the values after the origin, and with the naive forecast, which repeats the week before.
 */
export function run({ origins }: { origins: number }): void {
  const recorded = existsSync(file) ? readDoorCounts() : []
  if (recorded.length === 0) process.stderr.write(`${file.pathname} does not exist: only simulated series\n`)
  const rows = [...recorded, ...simulateSeries()].flatMap((series) =>
    [168, 24].map((horizon) => measureSeries(series, horizon, origins)),
  )
  report('forecast', rows, { origins, recorded: recorded.length })
}

function measureSeries({ name, values }: HourlySeries, horizon: number, origins: number): Row {
  const sums = { error: 0, naive: 0, inside80: 0, inside95: 0, count: 0, reportedMase: 0, totalMs: 0, slowestMs: 0 }
  for (let back = 1; back <= origins; back += 1) {
    // For one day origins are three days apart, so that they fall on all weekdays.
    const origin = values.length - (horizon === 168 ? 168 : 72) * back
    const startedAt = performance.now()
    const [series] = forecast(inputOf(hourly(values.slice(0, origin)), { horizon })).series
    const elapsedMs = performance.now() - startedAt
    sums.totalMs += elapsedMs
    sums.slowestMs = Math.max(sums.slowestMs, elapsedMs)
    sums.reportedMase += (series?.accuracy?.mase ?? Number.NaN) / (series?.accuracy?.baseline.mase ?? Number.NaN)
    series?.points.forEach((point, ahead) => {
      const actual = values[origin + ahead] ?? Number.NaN
      sums.count += 1
      sums.error += Math.abs(actual - point.mean)
      sums.naive += Math.abs(actual - (values[origin + ahead - 168] ?? Number.NaN))
      sums.inside80 += isInside(actual, point.lower_80, point.upper_80)
      sums.inside95 += isInside(actual, point.lower_95, point.upper_95)
    })
  }
  return {
    series: name,
    horizon,
    'error of naive': sums.error / sums.naive,
    'reported MASE of naive': sums.reportedMase / origins,
    'inside 80 %': (100 * sums.inside80) / sums.count,
    'inside 95 %': (100 * sums.inside95) / sums.count,
    'ms mean': sums.totalMs / origins,
    'ms slowest': sums.slowestMs,
  }
}

const isInside = (actual: number, lower = Number.NaN, upper = Number.NaN) =>
  lower <= actual && actual <= upper ? 1 : 0

function hourly(values: number[]): InputPoint[] {
  return hourlyFrom('2024-01-01T00:00Z', values.length, (instant) => values[(instant - start) / hourMs] ?? Number.NaN)
}

/** Reads the counts from Monday 25 July on. The file has 48 half hours for every local day, without daylight saving. */
function readDoorCounts(): HourlySeries[] {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1 + 48)
  return ['arrivals', 'departures'].map((name, column) => {
    const counts = rows.map((row) => Number(row.split(',')[2 + column]))
    const hours = counts.filter((_, index) => index % 2 === 0)
    return { name: `door, ${name}`, values: hours.map((count, hour) => count + (counts[2 * hour + 1] ?? 0)) }
  })
}

function simulateSeries(): HourlySeries[] {
  const hours = Array.from({ length: historyHours + 6 * 168 }, (_, hour) => hour)
  const random = randomOf(7)
  let dayFactor = 1
  const randomDays = hours.map((hour) => {
    if (hour % 24 === 0) dayFactor = Math.exp(0.2 * gaussian(random))
    return poisson(random, dayFactor * officePeople(hour) + 0.3)
  })
  const growing = hours.map((hour) => poisson(random, officePeople(hour) * 1.02 ** (hour / 168) + 0.3))
  return [
    { name: 'office, random days', values: randomDays },
    { name: 'office, growing 2 % a week', values: growing },
  ]
}

/** @param hour since the start of a series, which is a Monday */
function officePeople(hour: number): number {
  return officeHours({ weekday: Math.floor(hour / 24) % 7, hour: hour % 24, date: '' })
}
