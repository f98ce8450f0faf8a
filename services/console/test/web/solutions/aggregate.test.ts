import { describe, expect, test } from '@jest/globals'
import { aggregate, parseInstant, zonedTime } from '../../../web/src/solutions/forecasts/aggregate.ts'

const berlin = zonedTime('Europe/Berlin')
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

describe('parseInstant', () => {
  test('reads local times, offsets and dates', () => {
    expect(iso(parseInstant('2026-11-23T08:00', berlin))).toBe('2026-11-23T07:00:00.000Z')
    expect(iso(parseInstant('2026-07-01 08:00:30', berlin))).toBe('2026-07-01T06:00:30.000Z')
    expect(iso(parseInstant('2026-11-23T08:00:00-05:30', berlin))).toBe('2026-11-23T13:30:00.000Z')
    expect(iso(parseInstant('2026-11-23T08:00:00Z', berlin))).toBe('2026-11-23T08:00:00.000Z')
    expect(iso(parseInstant('2026-11-23', berlin))).toBe('2026-11-22T23:00:00.000Z')
  })

  test('takes the earlier of two instants when a clock change repeats a time', () => {
    expect(iso(parseInstant('2026-10-25T02:30', berlin))).toBe('2026-10-25T00:30:00.000Z')
    expect(iso(parseInstant('2026-10-25T03:30', berlin))).toBe('2026-10-25T02:30:00.000Z')
  })

  test('refuses other formats', () => {
    expect(parseInstant('23.11.2026', berlin)).toBeUndefined()
    expect(parseInstant('2026-13-01', berlin)).toBeUndefined()
  })
})

describe('aggregate', () => {
  const day = { frequency: 'day', timezone: 'Europe/Berlin' } as const
  const values = [
    { ts: '2026-11-23T18:00', value: '4' },
    { ts: '2026-11-23T08:00', value: 6 },
    { ts: '2026-11-22T23:30', value: '' },
    { ts: '2026-11-22T10:00', value: '3' },
    { ts: 'never', value: 9 },
  ]

  test('counts the values of each local day, also texts, when the aggregation is count', () => {
    expect(aggregate(values, { ...day, aggregation: 'count' }).map(({ value }) => value)).toEqual([1, 2])
    expect(aggregate([{ ts: '2026-11-23', value: 'uid-005' }], { ...day, aggregation: 'count' })).toHaveLength(1)
  })

  test('adds the values of each local day, and leaves out what is no time or no number', () => {
    expect(aggregate(values, day).map(({ time, value }) => [iso(time), value])).toEqual([
      ['2026-11-21T23:00:00.000Z', 3],
      ['2026-11-22T23:00:00.000Z', 10],
    ])
  })

  test.each([
    ['mean', 5],
    ['max', 6],
    ['last', 4],
  ] as const)('combines by %s', (aggregation, expected) => {
    expect(aggregate(values, { ...day, aggregation }).at(-1)?.value).toBe(expected)
  })

  test('begins weeks on Monday', () => {
    const [week] = aggregate([{ ts: '2026-11-22', value: 1 }], { frequency: 'week', timezone: 'UTC' })
    expect(iso(week?.time)).toBe('2026-11-16T00:00:00.000Z')
  })
})
