import { describe, expect, it } from '@jest/globals'
import { scoreForecast, withoutLastWeek } from '../../src/demo/forecast-score.ts'
import { createHourReader, sumByHour } from '../../src/demo/hourly-counts.ts'

const columns = { timestamp: 'timestamp', value: 'n' }
const berlin = createHourReader('Europe/Berlin')

describe('an hour reader', () => {
  it('gives a local time and the instant it denotes the same hour', () => {
    expect(berlin('2026-07-01T10:59:59')).toBe(berlin('2026-07-01T08:30:00.000Z'))
    expect(berlin('2026-07-01 10:00')).toBe(berlin('2026-07-01T04:00:00-0400'))
    expect(berlin('2026-07-01')).toBe(berlin('2026-07-01T00:00'))
  })

  it('gives both hours the same number when daylight saving time ends', () => {
    expect(berlin('2026-10-25T00:30:00Z')).toBe(berlin('2026-10-25T01:30:00Z'))
    expect(berlin('2026-10-25T02:30:00Z')).toBe((berlin('2026-10-25T01:30:00Z') ?? 0) + 1)
  })

  it.each(['', 'yesterday', '2026-13-01T00:00', '01/07/2026'])('returns undefined for %j', (text) => {
    expect(berlin(text)).toBeUndefined()
  })

  it('lets sumByHour sum the half hours of an hour by group', () => {
    const rows = [
      ['2026-01-01T00:00', 'a', '1'],
      ['2026-01-01T00:30', 'a', '2'],
      ['2026-01-01T00:30', 'b', '5'],
      ['2026-01-01T01:00', 'a', ''],
    ]
    const sums = sumByHour({ columns: ['timestamp', 'place', 'n'], rows }, { ...columns, group: 'place' }, berlin)
    const hour = berlin('2026-01-01T00:00') ?? 0
    expect([...sums].map(([group, hours]) => [group, [...hours]])).toEqual([
      ['a', [[hour, 3]]],
      ['b', [[hour, 5]]],
    ])
  })
})

describe('withoutLastWeek', () => {
  it('removes the last 168 hours', () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000).toISOString().slice(0, 19)
    const rows = Array.from({ length: 400 }, (_, hour) => [at(hour), '1'])
    const before = withoutLastWeek({ columns: ['timestamp', 'n'], rows }, columns, berlin)
    expect(before.rows).toHaveLength(400 - 168)
    expect(before.rows.at(-1)?.[0]).toBe(at(400 - 168 - 1))
  })
})

describe('scoreForecast', () => {
  const start = berlin('2026-07-01T00:00') ?? 0
  const utc = (hour: number) => new Date(Date.UTC(2026, 5, 30, 22) + hour * 3_600_000).toISOString()
  const counted = new Map([
    ...[10, 20, 30].map((value, index) => [start - 168 + index, value] as const),
    ...[12, 20, 8].map((value, index) => [start + index, value] as const),
  ])

  it('divides the absolute errors by the actual values, for the forecast and the naive forecast', () => {
    const forecast = [11, 22, 9].map((mean, index) => ({ ts: utc(index), mean }))
    expect(scoreForecast(counted, forecast, berlin)).toEqual({ hours: 3, forecast: 4 / 40, naive: 24 / 40 })
  })

  it('excludes hours without a count and the repeated hour', () => {
    const forecast = [
      { ts: utc(0), mean: 12 },
      { ts: utc(0), mean: 99 },
      { ts: utc(1), mean: 20 },
      { ts: utc(7), mean: 1 },
    ]
    expect(scoreForecast(counted, forecast, berlin)).toEqual({ hours: 1, forecast: 0, naive: 0 })
    expect(scoreForecast(counted, [], berlin)).toBeUndefined()
  })
})
