import { describe, expect, it, jest } from '@jest/globals'
import type { ForecastInput, InputPoint } from '../../../src/forecast/index.ts'
import { type RegularSeries, regularize } from '../../../src/forecast/series/regularize.ts'
import { dailyFrom, hourlyFrom } from '../signals.ts'

function regular(points: InputPoint[], rest: Partial<ForecastInput> = {}): RegularSeries {
  return regularize(
    { key: {}, points },
    { frequency: 'hour', aggregation: 'sum', timezone: 'UTC', horizon: 24, ...rest },
  )
}

const startsOf = ({ steps }: RegularSeries): string[] => steps.map(({ startMs }) => new Date(startMs).toISOString())
const valuesOf = ({ grid }: RegularSeries): number[] => [...grid.values]

/** Half-hourly points of a local day, as a logger on local time writes them. */
function halfHours(date: string, from: number, to: number): InputPoint[] {
  return Array.from({ length: (to - from) * 2 }, (_, index) => {
    const hour = `${from + Math.floor(index / 2)}`.padStart(2, '0')
    return { ts: `${date}T${hour}:${index % 2 === 0 ? '00' : '30'}`, value: 1 }
  })
}

describe('steps', () => {
  it('sums half hours to hours without counting duplicates', () => {
    const series = regular(halfHours('2024-05-01', 0, 24))
    expect(valuesOf(series)).toEqual(Array(24).fill(2))
    expect(series.quality).toEqual({ length: 24, gaps: 0, duplicates: 0, imputed: 0 })
  })

  it.each([
    ['sum', 9],
    ['mean', 3],
    ['max', 5],
    ['last', 1],
    ['count', 3],
  ] as const)('aggregates by %s', (aggregation, expected) => {
    const points = [
      { ts: '2024-05-01T10:40', value: 1 },
      { ts: '2024-05-01T10:00', value: 3 },
      { ts: '2024-05-01T10:20', value: 5 },
    ]
    expect(valuesOf(regular(points, { aggregation }))).toEqual([expected])
  })

  it.each([
    ['sum', [15, 25], 'all were added'],
    ['mean', [3.75, 6.25], 'all were averaged'],
    ['max', [6, 11], 'the highest of them was used; if they are of several places, make a forecast for each place'],
    ['last', [6, 9], 'the last of them in the input was used'],
  ] as const)(
    'aggregates all values of a step by %s when several have one timestamp',
    (aggregation, expected, warning) => {
      const buildings = [
        [1, 4, 3, 11],
        [4, 6, 2, 9],
      ]
      const points = buildings.flatMap((values) =>
        values.map((value, half) => ({ ts: `2024-05-01T1${half < 2 ? 0 : 1}:${half % 2 === 0 ? '00' : '30'}`, value })),
      )
      const series = regular(points, { aggregation })
      expect(valuesOf(series)).toEqual(expected)
      expect(series.quality.duplicates).toBe(4)
      expect(series.warnings).toEqual([`4 values have the timestamp of another one; ${warning}.`])
    },
  )

  it('combines local times, offsets and Z in any order', () => {
    const series = regular(
      [
        { ts: '2024-01-15T12:00:00Z', value: 4 },
        { ts: '2024-01-15 10:00:00', value: 1 },
        { ts: '2024-01-15T12:00:00+01:00', value: 3 },
        { ts: '2024-01-15T05:00:00.000-0500', value: 2 },
      ],
      { timezone: 'Europe/Berlin' },
    )
    expect(valuesOf(series)).toEqual([1, 2, 3, 4])
    expect(startsOf(series)[0]).toBe('2024-01-15T09:00:00.000Z')
  })

  it('aligns hours to local time, also in zones with half-hour offsets', () => {
    const series = regular([{ ts: '2024-01-15T10:45', value: 1 }], { timezone: 'Asia/Kolkata' })
    expect(startsOf(series)).toEqual(['2024-01-15T04:30:00.000Z'])
  })

  it('aligns days to local dates and weeks to local Mondays', () => {
    const points = hourlyFrom('2024-01-07T00:00Z', 24 * 21, () => 1)
    const days = regular(points, { frequency: 'day', timezone: 'America/Los_Angeles' })
    expect(startsOf(days)[0]).toBe('2024-01-07T08:00:00.000Z')
    expect(valuesOf(days).every((value) => value === 24)).toBe(true)
    const weeks = regular(points, { frequency: 'week', timezone: 'America/Los_Angeles' })
    expect(startsOf(weeks)).toEqual(['2024-01-08T08:00:00.000Z', '2024-01-15T08:00:00.000Z'])
  })

  it('starts a day at the clock change when midnight is skipped', () => {
    const series = regular(
      dailyFrom('2018-11-02', 5, () => 1),
      { frequency: 'day', timezone: 'America/Sao_Paulo' },
    )
    expect(startsOf(series).slice(1, 4)).toEqual([
      '2018-11-03T03:00:00.000Z',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ])
    expect(series.quality.gaps).toBe(0)
  })
})

describe('summer time', () => {
  it.each([
    ['America/Los_Angeles', '2024-03-10', '2024-03-10T10:00:00.000Z'],
    ['Europe/Berlin', '2024-03-31', '2024-03-31T01:00:00.000Z'],
  ])('has no skipped hour: %s', (timezone, date, afterTheJump) => {
    const series = regular(halfHours(date, 0, 24), { timezone })
    expect(series.steps).toHaveLength(23)
    expect(startsOf(series)).toContain(afterTheJump)
    expect(valuesOf(series)[3]).toBe(2)
    expect(series.quality.gaps).toBe(0)
    expect(series.warnings).toEqual([
      `2 local times do not exist (the clock skips ${date}T02:00 in spring) and were left out.`,
    ])
    expect(series.usage).toMatchObject({ rows_read: 48, rows_used: 46 })
    const days = regular(halfHours(date, 0, 24), { timezone, frequency: 'day' })
    expect(days.usage).toMatchObject({ rows_used: 48, usable_share: 1 })
    expect(valuesOf(days)).toEqual([48])
  })

  it.each([
    ['America/Los_Angeles', '2024-11-03', 1],
    ['Europe/Berlin', '2024-10-27', 2],
  ])('has a repeated hour twice: %s', (timezone, date, hour) => {
    const before = halfHours(date, 0, hour)
    const repeated = halfHours(date, hour, hour + 1)
    const after = halfHours(date, hour + 1, 24)
    const written = regular([...before, ...repeated, ...repeated, ...after], { timezone })
    expect(written.steps).toHaveLength(25)
    expect(written.quality).toEqual({ length: 25, gaps: 0, duplicates: 0, imputed: 0 })
    const lost = regular([...before, ...repeated, ...after], { timezone })
    expect(lost.quality).toEqual({ length: 25, gaps: 1, duplicates: 0, imputed: 1 })
  })

  it.each(['by time', 'by building'])(
    'has a repeated hour twice for two buildings in local time, sorted %s',
    (order) => {
      const repeated = halfHours('2024-10-27', 2, 3)
      const hours = [halfHours('2024-10-27', 0, 2), repeated, repeated, halfHours('2024-10-27', 3, 24)]
      const points =
        order === 'by time' ? hours.flatMap((hour) => [...hour, ...hour]) : [...hours.flat(), ...hours.flat()]
      const series = regular(points, { timezone: 'Europe/Berlin' })
      expect(series.steps).toHaveLength(25)
      expect(series.quality).toMatchObject({ gaps: 0, duplicates: 50 })
      expect(valuesOf(series)).toEqual(Array(24).fill(4))
    },
  )
})

describe('data quality', () => {
  const week = (instant: number): number => Math.floor(instant / 3_600_000) % 168

  it('imputes gaps with the median of the hour of the week and counts them', () => {
    const whole = hourlyFrom('2024-01-01T00:00Z', 5 * 168, week)
    const points = whole.filter((_, index) => index !== 400 && index !== 401)
    const series = regular(points)
    expect(valuesOf(series)).toEqual(whole.map(({ value }) => value))
    expect(series.quality).toEqual({ length: 840, gaps: 2, duplicates: 0, imputed: 2 })
    expect([...series.grid.observed].filter((seen) => seen === 0)).toHaveLength(2)
  })

  it('interpolates when the hour of the week was never observed', () => {
    const points = [1, 2, 5].map((hour) => ({ ts: `2024-01-01T0${hour}:00`, value: hour * 10 }))
    expect(valuesOf(regular(points, { aggregation: 'mean' }))).toEqual([10, 20, 30, 40, 50])
  })

  it('treats hours that are always missing as closed when values are sums', () => {
    const open = hourlyFrom('2024-01-01T00:00Z', 3 * 168, () => 7).filter(({ ts }) => /T(09|1\d):/.test(ts))
    const series = regular(open)
    expect(new Set(valuesOf(series))).toEqual(new Set([0, 7]))
    expect(series.warnings).toEqual([])
  })

  it('takes hours without rows for closed where a level is low at times, as people present', () => {
    const level = (low: number) =>
      hourlyFrom('2024-01-01T00:00Z', 3 * 168, (instant) => low + 5 * (new Date(instant).getUTCHours() - 9)).filter(
        ({ ts }) => /T(09|1\d):/.test(ts),
      )
    for (const aggregation of ['mean', 'max', 'last'] as const) {
      expect(Math.min(...valuesOf(regular(level(2), { aggregation })))).toBe(0)
      expect(Math.min(...valuesOf(regular(level(400), { aggregation })))).toBe(400)
    }
  })

  it('fills in the days that a table of sums lacks, and makes no recommendation of too many', () => {
    const daily = { frequency: 'day' } as const
    const table = dailyFrom('2026-01-05', 140, (day) => [60, 90, 95, 85, 45, 0, 0][day % 7] ?? 0)
    const sparse = regular(
      table.filter((_, day) => day % 3 === 0),
      daily,
    )
    expect(valuesOf(sparse)).toEqual(table.slice(0, 139).map(({ value }) => value))
    expect(sparse.warnings).toEqual([
      '66 % of the days have no value and were filled in like those around; treat the forecast with care.',
    ])
    expect(sparse.doubt).toBe('most of its values were filled in')
    const gap = regular(
      table.filter((_, day) => day < 28 || day > 100),
      daily,
    )
    expect(valuesOf(gap)).toEqual(table.map(({ value }) => value))
  })

  it('takes weekdays without rows for closed where rows are the events of a log', () => {
    const visits = dailyFrom('2026-01-05', 140, () => 1).flatMap((point, day) =>
      day % 3 === 0 ? Array.from({ length: 1 + (day % 4) }, () => point) : [],
    )
    expect(valuesOf(regular(visits, { frequency: 'day' })).filter((_, day) => day % 3 > 0)).toEqual(Array(92).fill(0))
  })

  it('treats nulls as gaps and trims them at the ends', () => {
    const points = hourlyFrom('2024-01-01T00:00Z', 400, week).map((point, index) =>
      index === 200 || index > 395 ? { ...point, value: null } : point,
    )
    expect(regular(points).quality).toEqual({ length: 396, gaps: 1, duplicates: 0, imputed: 1 })
  })

  it('counts duplicate timestamps however they are written', () => {
    const series = regular([
      { ts: '2024-01-01T00:00Z', value: 1 },
      { ts: '2024-01-01T01:00Z', value: 2 },
      { ts: '2024-01-01T00:00Z', value: 5 },
      { ts: '2024-01-01T02:00+01:00', value: 9 },
    ])
    expect(valuesOf(series)).toEqual([6, 11])
    expect(series.quality.duplicates).toBe(2)
  })

  it('ignores invalid timestamps', () => {
    const odd = ['yesterday', '2024-02-30', '2024-01-01T25:00', ''].map((ts) => ({ ts, value: 1 }))
    const series = regular([...odd, { ts: '2024-01-01T00:00', value: 1 }])
    expect(series.quality.length).toBe(1)
    expect(series.warnings).toEqual([expect.stringContaining('4 timestamps could not be read')])
    expect(regular(odd).quality.length).toBe(0)
  })

  it('starts after a gap of months', () => {
    const dayAndNight = (instant: number) => Math.abs(12 - new Date(instant).getUTCHours())
    const points = [
      ...hourlyFrom('2020-01-01T00:00Z', 48, dayAndNight),
      ...hourlyFrom('2024-01-01T00:00Z', 400, dayAndNight),
    ]
    const series = regular(points)
    expect(series.quality).toEqual({ length: 400, gaps: 0, duplicates: 0, imputed: 0 })
    expect(series.warnings).toEqual([expect.stringContaining('2024-01-01 00:00')])
  })
})

describe('a count', () => {
  const badges = (hours: readonly number[]) =>
    hours.map((hour) => ({ ts: new Date(Date.UTC(2024, 0, 1, hour, (7 * hour) % 60)).toISOString(), value: 1 }))

  it('is 0 in steps without rows', () => {
    const series = regular(badges([8, 8, 9, 12, 36]), { aggregation: 'count' })
    expect(valuesOf(series)).toEqual([2, 1, 0, 0, 1, ...Array(23).fill(0), 1])
    expect(series).toMatchObject({ quality: { gaps: 0, imputed: 0 }, warnings: [] })
  })

  it('is unknown while there are no rows for weeks', () => {
    const series = regular(badges([...Array(48).keys(), 24 * 20, 24 * 20 + 1]), { aggregation: 'count' })
    expect(series.quality.gaps).toBe(24 * 18)
  })

  it('has all events of the repeated hour of autumn', () => {
    const twice = ['02:00', '02:10', '02:00', '02:10', '02:50', '03:20'].map((time) => ({
      ts: `2024-10-27T${time}`,
      value: 1,
    }))
    const days = regular(twice, { aggregation: 'count', timezone: 'Europe/Berlin', frequency: 'day' })
    expect(valuesOf(days)).toEqual([6])
    const hours = regular(twice, { aggregation: 'count', timezone: 'Europe/Berlin' })
    expect(hours.steps).toHaveLength(3)
    expect(valuesOf(hours)).toEqual([2.5, 1])
  })
})

describe('partial ends', () => {
  it('omits an incomplete last hour', () => {
    const series = regular(halfHours('2024-05-01', 0, 24).slice(1, -1))
    expect(startsOf(series)).toHaveLength(22)
    expect(series.warnings).toEqual([expect.stringContaining('first hour'), expect.stringContaining('last hour')])
  })

  it('omits an incomplete last day', () => {
    const points = hourlyFrom('2024-01-01T00:00Z', 20 * 24 + 9, () => 1)
    const series = regular(points, { frequency: 'day' })
    expect(series.steps).toHaveLength(20)
    expect(series.warnings).toEqual([expect.stringContaining('2024-01-21')])
  })

  it('keeps a day that always ends early', () => {
    const points = hourlyFrom('2024-01-01T00:00Z', 21 * 24, () => 1).filter(({ ts }) => /T(09|1[0-7]):/.test(ts))
    const series = regular(points, { frequency: 'day' })
    expect(series.steps).toHaveLength(21)
    expect(series.warnings).toEqual([])
  })

  it('omits an incomplete last day of two buildings', () => {
    const points = hourlyFrom('2024-01-01T00:00Z', 20 * 24 + 9, () => 1).flatMap((point) => [point, point])
    const series = regular(points, { frequency: 'day' })
    expect(valuesOf(series)).toEqual(Array(20).fill(48))
    expect(series.warnings).toContainEqual(expect.stringContaining('2024-01-21'))
  })

  it('detects nothing when observations are unevenly spaced', () => {
    const minutes = [0, 7, 31, 52, 69, 75, 110, 121]
    const points = minutes.map((minute) => ({ ts: new Date(minute * 60_000).toISOString(), value: 1 }))
    expect(valuesOf(regular(points))).toEqual([4, 3, 1])
  })
})

it('looks up time zone offsets per day instead of per point', () => {
  const points = hourlyFrom('2013-01-01T00:00Z', 20_000, () => 1)
  const lookups = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  expect(regular(points, { timezone: 'Europe/Berlin' }).quality).toMatchObject({ length: 20_000, gaps: 0 })
  const days = 20_000 / 24
  expect(lookups.mock.calls.length).toBeLessThan(3 * days)
  lookups.mockRestore()
})
