import { describe, expect, it } from '@jest/globals'
import { Aggregation, type AggregationQuery, maxGroups } from '../../src/tools/aggregate/aggregation.ts'
import { bucketOf, createLocalTimes, type TimeBucket } from '../../src/tools/aggregate/time-bucket.ts'
import type { Filters } from '../../src/tools/data/filters.ts'

const aggregate = (query: Partial<AggregationQuery>, rows: unknown[][]) => {
  const aggregation = new Aggregation({ measures: [{ function: 'count' }], groupBy: [], filters: {}, ...query })
  for (const row of rows) aggregation.add(row)
  return aggregation
}

describe('Aggregation', () => {
  it('sums decimals without the error of binary fractions', () => {
    const rows = Array.from({ length: 1000 }, () => [0.1])
    const { values } = aggregate({ measures: [{ function: 'sum', field: 'x' }] }, rows).groups()[0] ?? {}
    expect(values).toEqual([100])
  })

  it('keeps small numbers beside large ones', () => {
    const rows = [[1e16], [1], [1], [-1e16]]
    expect(aggregate({ measures: [{ function: 'sum', field: 'x' }] }, rows).groups()[0]?.values).toEqual([2])
  })

  it('ignores missing values and texts where a number is needed, and counts them', () => {
    const measures = [{ function: 'mean', field: 'x' } as const, { function: 'count', field: 'x' } as const]
    const aggregation = aggregate({ measures }, [[1], [null], ['n/a'], [3]])
    expect(aggregation.groups()[0]).toMatchObject({ rows: 4, values: [2, 3] })
    expect(aggregation.ignored).toBe(3)
  })

  it('has a group without rows, with null for what cannot be computed', () => {
    expect(aggregate({ measures: [{ function: 'min', field: 'x' }, { function: 'count' }] }, []).groups()).toEqual([
      { key: [], rows: 0, values: [null, 0] },
    ])
  })

  it('keeps groups apart whose values differ in type or separators', () => {
    const rows = [
      ['a', 'b,c'],
      ['a,b', 'c'],
      ['1', null],
      [1, null],
    ]
    expect(aggregate({ groupBy: ['x', 'y'] }, rows).groups()).toHaveLength(4)
  })

  it.each([
    [[[3], [1], ['n/a'], [2]], 2],
    [[[1.5], [0.1], [0.3], [7]], 0.9],
    [[[null]], null],
  ])('takes the value in the middle of %j', (rows, median) => {
    expect(aggregate({ measures: [{ function: 'median', field: 'x' }] }, rows).groups()[0]?.values).toEqual([median])
  })

  it('counts each value once, in any case of letters', () => {
    const measures = [{ function: 'distinct', field: 'x' } as const]
    const aggregation = aggregate({ measures }, [['Ann'], ['ann'], ['Ben'], [null], [7], ['7']])
    expect(aggregation.groups()[0]?.values).toEqual([3])
  })

  it.each([
    [{ field: 't', weekdays: ['Monday', 'Sunday'] as const }, ['2026-01-05T09:30:00Z', '2026-01-11']],
    [{ field: 't', from_hour: 9, until_hour: 14 }, ['2026-01-05T09:30:00Z']],
    [{ field: 't', weekdays: ['Tuesday'] as const, from_hour: 14 }, ['2026-01-06 14:00']],
  ])('takes the times %j only', (recurring, matching) => {
    const times = ['2026-01-05T09:30:00Z', '2026-01-06 14:00', '2026-01-06 08:59', '2026-01-11', 'soon', null]
    expect(times.filter((time) => aggregate({ recurring }, [[time]]).matched === 1)).toEqual(matching)
  })

  it('groups times in UTC by the day and hour of their time zone', () => {
    const localTimes = new Map([['t', createLocalTimes('Europe/Berlin')]])
    const rows = [['2026-01-11T23:30:00.000Z'], ['2026-07-12T22:30:00.000Z']]
    const keys = (by: TimeBucket) =>
      aggregate({ groupBy: ['t'], bucket: { field: 't', by }, localTimes }, rows)
        .groups()
        .map(({ key }) => key[0])
    expect(keys('weekday')).toEqual(['Monday'])
    expect(keys('hour_of_day')).toEqual(['00:00'])
    const recurring = { field: 't', weekdays: ['Monday'] as const, until_hour: 1 }
    expect(aggregate({ recurring, localTimes }, rows).matched).toBe(2)
  })

  it.each<[Filters, number[]]>([
    [{ t: { gte: '2026-03-02', lt: '2026-03-03' } }, [0, 1]],
    [{ t: { gte: '2026-03-02 00:30', lte: '2026-03-02T09:30' } }, [0, 1]],
    [{ t: { lte: '2026-03-02' } }, [0, 1]],
    [{ t: { gt: '2026-03-02T00:30:00', lt: '2026-03-02 09:30' } }, []],
    [{ t: { gte: '2026-03-01T23:30:00Z', lt: '2026-03-02T08:30:00.000Z' } }, [0]],
    [{ t: { gt: '2026-03-02T09:30:00+01:00' } }, [2]],
    [{ t: '2026-03-02 09:30' }, [1]],
    [{ t: { not: ['2026-03-02T08:30:00.000Z', '2026-03-03T00:00'] } }, [0]],
  ])('compares times with %j by the time zone of the field', (filters, matching) => {
    const localTimes = new Map([['t', createLocalTimes('Europe/Berlin')]])
    const times = ['2026-03-01T23:30:00.000Z', '2026-03-02T08:30:00.000Z', '2026-03-02T23:00:00.000Z']
    const matched = times.flatMap((time, at) =>
      aggregate({ filters, localTimes }, [[time]]).matched === 1 ? [at] : [],
    )
    expect(matched).toEqual(matching)
  })

  it('returns the latest time in the time zone of the field', () => {
    const localTimes = new Map([['t', createLocalTimes('Europe/Berlin')]])
    const measures = [{ function: 'max', field: 't' } as const, { function: 'distinct', field: 't' } as const]
    const rows = [['2026-03-01T23:30:00.000Z'], ['2026-03-01T08:30:00.000Z']]
    expect(aggregate({ measures, localTimes }, rows).groups()[0]?.values).toEqual(['2026-03-02T00:30:00', 2])
  })

  it('refuses one group too many', () => {
    const aggregation = new Aggregation({ measures: [{ function: 'count' }], groupBy: ['x'], filters: {} })
    for (let group = 0; group < maxGroups; group++) expect(aggregation.add([group])).toBe(true)
    expect(aggregation.add([0])).toBe(true)
    expect(aggregation.add([maxGroups])).toBe(false)
  })

  it.each<[Filters, unknown[]]>([
    [{ x: 'berlin' }, ['Berlin', ' berlin ']],
    [{ x: { in: [7, 'Bonn'] } }, ['7', 7, 'bonn']],
    [
      { x: { not: ['Berlin', 7] } },
      ['bonn', 7.5, 8, true, null, '', '2026-03-01', '2026-12-31T23:00:00Z', '2027-01-01'],
    ],
    [{ x: { exists: false } }, [null, '']],
    [{ x: { gte: 7, lt: 8 } }, [7, 7.5]],
    [{ x: { gte: '2026-01-01', lt: '2027-01-01' } }, ['2026-03-01', '2026-12-31T23:00:00Z']],
  ])('matches %j', (filters, matching) => {
    const others = [
      'Berlin',
      ' berlin ',
      'bonn',
      '7',
      7,
      7.5,
      8,
      true,
      null,
      '',
      '2026-03-01',
      '2026-12-31T23:00:00Z',
      '2027-01-01',
    ]
    const matched = others.filter((value) => aggregate({ filters }, [[value]]).matched === 1)
    expect(new Set(matched)).toEqual(new Set(matching))
  })
})

describe('bucketOf', () => {
  it.each<[TimeBucket, string, string]>([
    ['hour', '2026-03-05T09:30:00.000Z', '2026-03-05T09'],
    ['day', '2026-03-05 09:30', '2026-03-05'],
    ['week', '2026-03-01', '2026-02-23'],
    ['month', '2026-03-05', '2026-03'],
    ['quarter', '2026-10-05', '2026-Q4'],
    ['year', '2026-10-05', '2026'],
    ['weekday', '2026-10-05', 'Monday'],
    ['hour_of_day', '2026-10-05 09:59', '09:00'],
  ])('names the %s of %s', (bucket, value, name) => expect(bucketOf(value, bucket)).toBe(name))

  it('has no hour of a day without a time', () => expect(bucketOf('2026-10-05', 'hour_of_day')).toBeUndefined())

  it('has no period for anything but a time', () => {
    expect(['', null, 7, 'soon', '2026-99-99'].map((value) => bucketOf(value, 'week'))).toEqual(
      Array(5).fill(undefined),
    )
  })
})
