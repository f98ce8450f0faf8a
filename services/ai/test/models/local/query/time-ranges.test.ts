import { describe, expect, it } from '@jest/globals'
import { takeTimeRanges } from '../../../../src/models/local/query/times/time-ranges.ts'

/** A Thursday. */
const today = new Date('2026-10-15T09:00:00Z')
const rangesOf = (text: string) => takeTimeRanges(` ${text} `, today).ranges

describe('takeTimeRanges', () => {
  it.each([
    ['in 2026', '2026-01-01', '2027-01-01'],
    ['in march 2026', '2026-03-01', '2026-04-01'],
    ['im dezember 2025', '2025-12-01', '2026-01-01'],
    ['on 28 february 2026', '2026-02-28', '2026-03-01'],
    ['am 11 marz 2026', '2026-03-11', '2026-03-12'],
    ['on march 3rd 2026', '2026-03-03', '2026-03-04'],
    ['on 2026-03-31', '2026-03-31', '2026-04-01'],
    ['in q3 2025', '2025-07-01', '2025-10-01'],
    ['in the second quarter of 2025', '2025-04-01', '2025-07-01'],
    ['in september last year', '2025-09-01', '2025-10-01'],
    ['last week', '2026-10-05', '2026-10-12'],
    ['this month', '2026-10-01', '2026-11-01'],
    ['next quarter', '2027-01-01', '2027-04-01'],
    ['letztes jahr', '2025-01-01', '2026-01-01'],
    ['in the last 7 days', '2026-10-09', '2026-10-16'],
    ['yesterday', '2026-10-14', '2026-10-15'],
    ['between march and may 2026', '2026-03-01', '2026-06-01'],
    ['from 2026-03-01 to 2026-03-05', '2026-03-01', '2026-03-06'],
  ])('%s is from %s until %s', (text, from, until) => expect(rangesOf(text)).toMatchObject([{ from, until }]))

  it.each([
    ['since 2026-03-01', { from: '2026-03-01' }],
    ['before march 2026', { until: '2026-03-01' }],
    ['after 2025', { from: '2026-01-01' }],
    ['bis 2026', { until: '2027-01-01' }],
    ['in september', { from: '2000-09-01', until: '2000-10-01', isYearless: true }],
  ])('%s has the bounds %j', (text, range) => expect(rangesOf(text)).toEqual([range]))

  it.each(['room X1 2026', 'more than 2026', 'may i go', 'on friday', 'soon', 'marketing'])('%s is no time', (text) =>
    expect(rangesOf(text)).toEqual([]),
  )
})
