import { describe, expect, it } from '@jest/globals'
import { forecast } from '../../../src/forecast/index.ts'
import { findSentinel } from '../../../src/forecast/series/sentinel.ts'
import { hourlyFrom, inputOf, officeHours, wallClock } from '../signals.ts'

it.each([
  [[0, 5, -1, 7, -1], { value: -1, count: 2 }],
  [[0, 5, -3, 7, -3], { value: -3, count: 2 }],
  [[0, 5, -999, 7], { value: -999, count: 1 }],
  [[0, 5, -3, 7], null],
  [[0, 5, -1, -2, -1], null],
  [[0, 5, 7], null],
  [[-1, -1, -1], null],
  [[], null],
])('a value that stands for none is found when the values are %j', (values, expected) => {
  expect(findSentinel(Float64Array.from(values))).toEqual(expected)
})

const utc = wallClock('UTC')
const office = (closed: (value: number, index: number) => number) =>
  hourlyFrom('2024-01-01T00:00Z', 8 * 168, (at) => officeHours(utc(at))).map(({ ts, value }, index) => ({
    ts,
    value: closed(value ?? 0, index),
  }))

describe('a forecast', () => {
  it('stays at 0 or above, and warns, when -1 stands for closed', () => {
    const [series] = forecast(inputOf(office((value) => (value < 8 ? -1 : value)))).series
    const numbers = series?.points.flatMap(({ ts: _ts, ...values }) => Object.values(values)) ?? []
    expect(numbers.length).toBeGreaterThan(168)
    expect(Math.min(...numbers)).toBe(0)
    expect(series?.warnings).toEqual([
      expect.stringMatching(
        /^The value -1 occurs \d+ times, and no other value is negative: .*`config\.format\.nulls`/,
      ),
      'No recommendation is made from this series: the value -1 may stand for no value.',
    ])
  })

  it('is not limited when the series has real negative values', () => {
    const [series] = forecast(inputOf(office((value, index) => (value < 8 ? -20 - (index % 5) : value)))).series
    expect(Math.min(...(series?.points.map(({ mean }) => mean) ?? []))).toBeLessThan(-15)
    expect(series?.warnings).toEqual([])
  })
})
