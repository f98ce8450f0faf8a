import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { forecast, type InputPoint } from '../../src/forecast/index.ts'
import { boundsOf } from './signals.ts'

/** People through the main door of one building, half-hourly (UCI Machine Learning Repository, CalIt2). */
const file = new URL('../../../../../shared/data/calit2-half-hourly.csv', import.meta.url)
const present = existsSync(file)
if (!present) process.stderr.write(`skipped: ${file.pathname} is not here\n`)

const timezone = 'America/Los_Angeles'
const week = 336
const rows = present ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : []
const columns = { arrivals: 2, departures: 3 }

function pointsOf(column: keyof typeof columns): InputPoint[] {
  return rows.map((row) => {
    const cells = row.split(',')
    return { ts: cells[0] ?? '', value: Number(cells[columns[column]]) }
  })
}

/** Hourly sums by UTC hour. Summer time ended on 30 October 2005 at 2:00. */
function hourly(points: InputPoint[]): Map<string, number> {
  const hours = new Map<string, number>()
  for (const { ts, value } of points) {
    const offset = ts < '2005-10-30T02:00' ? '-07:00' : '-08:00'
    const hour = new Date(`${ts.slice(0, 13)}:00:00${offset}`).toISOString()
    hours.set(hour, (hours.get(hour) ?? 0) + (value ?? 0))
  }
  return hours
}

interface Outcome {
  wape: number
  naive: number
  held80: number
  held95: number
  reported: number
}

/** Forecasts one week from the data before it; compares with the actual values and with the previous week. */
function holdOut(points: InputPoint[], weeksAgo: number): Outcome {
  const end = points.length - weeksAgo * week
  const known = points.slice(0, end - week)
  const actual = hourly(points.slice(end - week, end))
  const before = known.slice(-week)
  const naive = hourly(points.slice(end - week, end).map(({ ts }, index) => ({ ts, value: before[index]?.value ?? 0 })))
  const [series] = forecast({
    series: [{ key: { building: 'calit2' }, points: known }],
    frequency: 'hour',
    aggregation: 'sum',
    timezone,
    horizon: 168,
  }).series
  const sums = { error: 0, naive: 0, size: 0, held80: 0, held95: 0, hours: 0 }
  for (const point of series?.points ?? []) {
    const value = actual.get(point.ts)
    if (value === undefined) continue
    const inside = (percent: number): number => {
      const [lower, upper] = boundsOf(point, percent)
      return lower <= value && value <= upper ? 1 : 0
    }
    sums.hours += 1
    sums.size += value
    sums.error += Math.abs(value - point.mean)
    sums.naive += Math.abs(value - (naive.get(point.ts) ?? 0))
    sums.held80 += inside(80)
    sums.held95 += inside(95)
  }
  expect(sums.hours).toBeGreaterThan(166)
  return {
    wape: sums.error / sums.size,
    naive: sums.naive / sums.size,
    held80: sums.held80 / sums.hours,
    held95: sums.held95 / sums.hours,
    reported: (series?.accuracy?.mase ?? 9) / (series?.accuracy?.baseline.mase ?? 1),
  }
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const describeHere = present ? describe : describe.skip

describeHere.each(['arrivals', 'departures'] as const)('%s at a real door', (column) => {
  const outcomes = [0, 1, 2, 3, 4, 5].map((weeksAgo) => (present ? holdOut(pointsOf(column), weeksAgo) : undefined))
  const all = outcomes.filter((outcome) => outcome !== undefined)

  it('is not worse than repeating the last week, in any of the last six weeks', () => {
    for (const { wape, naive } of all) expect(wape).toBeLessThanOrEqual(naive)
    expect(mean(all.map(({ wape }) => wape)) / mean(all.map(({ naive }) => naive))).toBeLessThan(0.85)
  })

  it('reports a backtest error below 0.8 of the naive one', () => {
    for (const { reported } of all) expect(reported).toBeLessThan(0.8)
  })

  it('has interval coverage within 5 points of the level', () => {
    expect(Math.abs(mean(all.map(({ held80 }) => held80)) - 0.8)).toBeLessThan(0.05)
    expect(Math.abs(mean(all.map(({ held95 }) => held95)) - 0.95)).toBeLessThan(0.05)
  })
})
