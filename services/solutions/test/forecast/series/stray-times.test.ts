import { describe, expect, it } from '@jest/globals'
import type { InputPoint } from '../../../src/forecast/index.ts'
import { regularize } from '../../../src/forecast/series/regularize.ts'
import { dailyFrom, hourlyFrom } from '../signals.ts'

const regular = (points: InputPoint[], frequency: 'hour' | 'day' = 'hour') =>
  regularize({ key: {}, points }, { frequency, aggregation: 'sum', timezone: 'Europe/Berlin', horizon: 24 })

const hours = hourlyFrom('2024-01-01T00:00Z', 1_008, () => 3)
const at = (ts: string): InputPoint => ({ ts, value: 5 })

describe('a stray date', () => {
  it.each([
    ['2034-02-11', '1 row was left out: 2034-02-11 is 10 years after the others.'],
    ['1970-01-01', '1 row was left out: 1970-01-01 is 54 years before the others.'],
    ['1900-01-01T00:00', '1 row was left out: 1900-01-01 is 124 years before the others.'],
    ['0203-01-01', '1 row was left out: 0203-01-01 is 1821 years before the others.'],
    ['9999-12-31', '1 row was left out: 9999-12-31 is 7976 years after the others.'],
    ['2025-02-01', '1 row was left out: 2025-02-01 is 355 days after the others.'],
  ])('is named and left out when it is %s', (ts, warning) => {
    const series = regular([...hours, at(ts)])
    expect(series.quality).toMatchObject({ length: 1_008, gaps: 0 })
    expect(series.warnings).toEqual([warning])
    expect(series.usage).toMatchObject({ rows_read: 1_009, rows_used: 1_008 })
    expect(series.doubt).toBe('some of its rows could not be used')
  })

  it('is named on each side when both sides have some', () => {
    const series = regular([at('1970-01-01'), ...hours, at('2034-02-11'), at('2035-02-11')])
    expect(series.quality.length).toBe(1_008)
    expect(series.warnings).toEqual([
      '1 row was left out: 1970-01-01 is 54 years before the others.',
      '2 rows were left out: they are 10 years or more after the others, such as 2035-02-11.',
    ])
  })

  it('is named when all times are outside the years that are used', () => {
    const series = regular(['0203-01-01', '0203-01-02'].map(at))
    expect(series.warnings).toEqual([
      '2 rows were left out: the years 1900 to 2199 are used, and a time is 0203-01-01.',
    ])
    expect(series.usage).toMatchObject({ rows_used: 0, usable_share: 0 })
  })
})

describe('a gap', () => {
  it('is no reason to leave out the rows after it when it is half a year', () => {
    const reopened = dailyFrom('2024-06-20', 3, () => 5)
    expect(regular([...dailyFrom('2023-01-01', 365, () => 3), ...reopened], 'day').usage.usable_share).toBe(1)
  })

  it('is no reason to leave out the rows after it when they are more than 1 % of all', () => {
    const reopened = dailyFrom('2029-01-01', 60, () => 5)
    const series = regular([...dailyFrom('2023-01-01', 365, () => 3), ...reopened], 'day')
    expect(series.quality.length).toBe(60)
    expect(series.warnings).toEqual([expect.stringContaining('there is a long gap before')])
  })
})
