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
import { report } from './report.ts'

/** Half-hourly counts of people at one door (UCI Machine Learning Repository, CalIt2); not part of the project. */
const file = new URL('../../../shared/data/calit2-half-hourly.csv', import.meta.url)
const hourMs = 3_600_000
const start = Date.UTC(2024, 0, 1)
const history = 9 * 168

/** An hourly series on the wall clock of UTC, starting on a Monday at midnight. */
interface Hourly {
  name: string
  values: number[]
}

/**
 * How good and how fast forecasts are: each series forecast one week (and one day) ahead from several origins, judged
 * on what came after and no model saw, against the week before. Quality does not depend on the machine; times do.
 */
export async function run(options: string[]): Promise<void> {
  const origins = Number(options[0] ?? 6)
  const real = existsSync(file) ? readDoor() : []
  if (real.length === 0) process.stderr.write(`${file.pathname} is not here: simulated series only\n`)
  const rows = [...real, ...simulated()].flatMap((series) =>
    [168, 24].map((horizon) => judge(series, horizon, origins)),
  )
  report('forecast', rows, { origins, real: real.length })
}

function judge({ name, values }: Hourly, horizon: number, origins: number): Record<string, string | number> {
  const sums = { error: 0, naive: 0, inside80: 0, inside95: 0, count: 0, rehearsed: 0, tookMs: 0, slowestMs: 0 }
  for (let back = 1; back <= origins; back += 1) {
    // Three days apart where forecasts are short, so that origins fall on all weekdays.
    const origin = values.length - (horizon === 168 ? 168 : 72) * back
    const started = performance.now()
    const [series] = forecast(inputOf(hourly(values.slice(0, origin)), { horizon })).series
    const took = performance.now() - started
    sums.tookMs += took
    sums.slowestMs = Math.max(sums.slowestMs, took)
    sums.rehearsed += (series?.accuracy?.mase ?? Number.NaN) / (series?.accuracy?.baseline.mase ?? Number.NaN)
    series?.points.forEach((point, ahead) => {
      const actual = values[origin + ahead] ?? Number.NaN
      sums.count += 1
      sums.error += Math.abs(actual - point.mean)
      sums.naive += Math.abs(actual - (values[origin + ahead - 168] ?? Number.NaN))
      if ((point.lower_80 ?? Number.NaN) <= actual && actual <= (point.upper_80 ?? Number.NaN)) sums.inside80 += 1
      if ((point.lower_95 ?? Number.NaN) <= actual && actual <= (point.upper_95 ?? Number.NaN)) sums.inside95 += 1
    })
  }
  return {
    series: name,
    horizon,
    'error of naive': sums.error / sums.naive,
    'MASE of naive, rehearsed': sums.rehearsed / origins,
    'inside 80 %': (100 * sums.inside80) / sums.count,
    'inside 95 %': (100 * sums.inside95) / sums.count,
    'ms mean': sums.tookMs / origins,
    'ms slowest': sums.slowestMs,
  }
}

function hourly(values: number[]): InputPoint[] {
  return hourlyFrom('2024-01-01T00:00Z', values.length, (instant) => values[(instant - start) / hourMs] ?? Number.NaN)
}

/** From Monday 25 July on; the file has the 48 half hours of every local day, so its hours are those of a wall clock. */
function readDoor(): Hourly[] {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1 + 48)
  return ['arrivals', 'departures'].map((name, column) => {
    const counts = rows.map((row) => Number(row.split(',')[2 + column]))
    const values = Array.from(
      { length: counts.length / 2 },
      (_, hour) => (counts[2 * hour] ?? 0) + (counts[2 * hour + 1] ?? 0),
    )
    return { name: `door, ${name}`, values }
  })
}

function simulated(): Hourly[] {
  const hours = Array.from({ length: history + 6 * 168 }, (_, hour) => hour)
  const random = randomOf(7)
  let mood = 1
  let weather = 0
  return [
    { name: 'office, Poisson', values: hours.map((hour) => poisson(random, office(hour) + 0.3)) },
    {
      name: 'office, good and bad days',
      values: hours.map((hour) => {
        if (hour % 24 === 0) mood = Math.exp(0.2 * gaussian(random))
        return poisson(random, mood * office(hour) + 0.3)
      }),
    },
    {
      name: 'office, growing 2 % a week',
      values: hours.map((hour) => poisson(random, office(hour) * 1.02 ** (hour / 168) + 0.3)),
    },
    {
      name: 'power, with weather',
      values: hours.map((hour) => {
        if (hour % 24 === 0) weather = 0.7 * weather + 40 * gaussian(random)
        return 1000 + 150 * Math.sin(((hour - 8) / 12) * Math.PI) + 5 * office(hour) + weather + 15 * gaussian(random)
      }),
    },
  ]
}

/** Monday is 0, as the series start on one. */
function office(hour: number): number {
  return officeHours({ weekday: Math.floor(hour / 24) % 7, hour: hour % 24, date: '' })
}
