import { expect, test } from '@jest/globals'
import { chartCsv } from '../../../../web/src/ui/chart/export-chart.ts'
import { formatRounded } from '../../../../web/src/ui/chart/round-value.ts'
import { weekendsBetween } from '../../../../web/src/ui/chart/weekends.ts'

test('formatRounded rounds by magnitude', () => {
  expect([44.4, 1234.5, 9.96, 4.44, 0.28, 0.000_28, -0.01, 0].map(formatRounded)).toEqual([
    ...['44', '1,235', '10', '4.4', '0.3', '0', '0', '0'],
  ])
})

test('weekends are those of the time zone, also where a day has 23 or 25 hours', () => {
  const found = (from: string, until: string, zone: string) =>
    weekendsBetween(Date.parse(from), Date.parse(until), zone).map((range) =>
      range.map((time) => new Date(time).toISOString().slice(0, 16)),
    )
  // The clock goes back on Sunday, 2026-10-25.
  expect(found('2026-10-22T10:00Z', '2026-10-28T10:00Z', 'Europe/Berlin')).toEqual([
    ['2026-10-23T22:00', '2026-10-24T22:00'],
    ['2026-10-24T22:00', '2026-10-25T23:00'],
  ])
  expect(found('2026-03-28T10:00Z', '2026-03-31T10:00Z', 'America/New_York')).toEqual([
    ['2026-03-28T10:00', '2026-03-29T04:00'],
    ['2026-03-29T04:00', '2026-03-30T04:00'],
  ])
  expect(found('2026-10-24T10:00Z', '2026-10-25T10:00Z', 'UTC')).toEqual([])
  expect(found('2026-01-01T00:00Z', '2026-10-25T10:00Z', 'UTC')).toEqual([])
})

test('chartCsv has local times, two columns for a range, and no formulas', () => {
  const series = [
    { label: '80 % range', values: [null, 1], bandUpper: [null, 3], colour: 1 },
    { label: '=SUM(A1), "x"', values: [2, null], colour: 6 },
  ] as const
  const times = [Date.parse('2026-11-27T13:00Z'), Date.parse('2026-11-27T14:00Z')]
  expect(chartCsv(times, series, { locale: 'en', timeZone: 'Europe/Berlin' })).toBe(
    '\ufeffTime,80 % range from,80 % range to,"\'=SUM(A1), ""x"""\r\n2026-11-27 14:00,,,2\r\n2026-11-27 15:00,1,3,\r\n',
  )
  const lineOf = (locale: string) =>
    chartCsv([0], [{ label: 'Share', values: [1.5], colour: 1 }], { locale, timeZone: 'UTC' }).split('\r\n')[1]
  expect(['de-DE', 'de-CH', 'fr-CH', 'de-LI', 'en-CH', 'en-GB'].map(lineOf)).toEqual([
    '1970-01-01 00:00;1,5',
    '1970-01-01 00:00;1.5',
    '1970-01-01 00:00;1,5',
    '1970-01-01 00:00;1.5',
    '1970-01-01 00:00;1.5',
    '1970-01-01 00:00,1.5',
  ])
})
