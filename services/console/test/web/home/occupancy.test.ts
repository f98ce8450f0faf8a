import { describe, expect, it } from '@jest/globals'
import {
  chartDays,
  countedShares,
  describeMeans,
  expectedShares,
  hasWithheldDays,
  meanShare,
  peakOf,
} from '../../../web/src/home/occupancy/occupancy.ts'

const site = (counted: [string, number | null][], expected: [string, number][] = []) => ({
  id: 'spc_1',
  name: 'Munich',
  mean: null,
  counted: new Map(counted),
  expected: new Map(expected),
})

describe('the shares of places', () => {
  it('keep withheld days as null, and leave out days without a capacity', () => {
    const rows = [
      { start: '2026-03-02', attendance: 44, capacity: 88, share: 0.25 },
      { start: '2026-03-03', attendance: null, capacity: 88, share: null },
      { start: '2026-03-04', attendance: 10, capacity: null, share: null },
    ]
    expect([...countedShares(rows)]).toEqual([
      ['2026-03-02', 0.5],
      ['2026-03-03', null],
    ])
    // A mean of a Monday; the weekend does not count.
    expect(meanShare([...rows, { start: '2026-03-07', attendance: 1, capacity: 88, share: 0.01 }])).toBe(0.25)
  })

  it('belong to the local day of the forecast, and need a capacity', () => {
    const points = [{ ts: '2026-03-01T23:00:00.000Z', mean: 22 }]
    expect([...expectedShares(points, 88, 'Europe/Berlin')]).toEqual([['2026-03-02', 0.25]])
    expect(expectedShares(points, undefined, 'Europe/Berlin').size).toBe(0)
    expect(expectedShares(points, 0, 'Europe/Berlin').size).toBe(0)
  })
})

describe('the means of sites', () => {
  it.each([
    [
      'once when all have the same',
      '2026-03-06',
      'Friday, from 2026-03-02 to 2026-03-06: Munich 40\u00a0%, Munich 40\u00a0%.',
    ],
    [
      'each when they differ',
      '2026-03-05',
      'Friday: Munich 40\u00a0% from 2026-03-02 to 2026-03-06, Munich 40\u00a0% from 2026-03-02 to 2026-03-05.',
    ],
  ])('name their period %s', (_, last, text) => {
    const of = (end: string) => ({
      ...site([
        ['2026-03-02', 0.3],
        [end, 0.5],
      ]),
      mean: 0.4,
    })
    expect(describeMeans([of('2026-03-06'), of(last), site([['2025-01-01', 1]])], String)).toBe(
      `Full on average in the opening hours, Monday to ${text}`,
    )
  })
})

describe('the days of the chart', () => {
  it('are said to be withheld where one from Monday to Friday is', () => {
    expect(hasWithheldDays([site([['2026-03-06', 0.2]]), site([['2026-03-05', null]])])).toBe(true)
    // A weekend is left out for other reasons.
    expect(hasWithheldDays([site([['2026-03-07', null]])])).toBe(false)
  })

  it('are in order, without empty weekends, and counted where both are known', () => {
    const days = chartDays([
      site(
        [
          ['2026-03-06', 0.2],
          ['2026-03-07', 0.01],
          ['2026-03-14', 0.4],
        ],
        [
          ['2026-03-06', 0.3],
          ['2026-03-09', 0.5],
          ['2026-03-15', 0],
        ],
      ),
    ])
    expect(days).toEqual([
      { date: '2026-03-06', isExpected: false },
      // A day without a value, so that the line is broken.
      { date: '2026-03-07', isExpected: true, isGap: true },
      { date: '2026-03-09', isExpected: true },
      { date: '2026-03-10', isExpected: false, isGap: true },
      { date: '2026-03-14', isExpected: false },
    ])
  })
})

describe('the fullest day', () => {
  it('is one to come, or one counted if no forecast reaches today', () => {
    const sites = [site([['2026-03-02', 0.9]], [['2026-03-10', 0.7]])]
    expect(peakOf(sites, '2026-03-09')).toMatchObject({ date: '2026-03-10', isExpected: true })
    expect(peakOf(sites, '2026-03-11')).toMatchObject({ date: '2026-03-02', isExpected: false })
    expect(peakOf([], '2026-03-11')).toBeUndefined()
  })
})
