import { describe, expect, it } from '@jest/globals'
import { formatCompact, formatNumber, formatPercent } from '../../../../web/src/ui/format/format.ts'
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatInFull,
  formatRelative,
} from '../../../../web/src/ui/format/format-time.ts'

const numbers = [
  0, 1, -1, 0.5, 12.3456, 999, 1000, -1234, 9999.5, 12_345, 99_949, 999_949, 1_000_000, 87_512_345, 2.5e12,
]

describe('a format', () => {
  it('of numbers is that of Intl', () => {
    const intl = new Intl.NumberFormat('en')
    expect(numbers.map((value) => formatNumber(value))).toEqual(numbers.map((value) => intl.format(value)))
  })

  it('of compact numbers is that of Intl', () => {
    const intl = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
    expect(numbers.map(formatCompact)).toEqual(numbers.map((value) => intl.format(value)))
  })

  it('of percentages is that of Intl with a space', () => {
    const shares = [0, 0.004, 0.5, 0.98, 0.9876, 1, 12.5]
    for (const digits of [0, 1, 2]) {
      const intl = new Intl.NumberFormat('en', { maximumFractionDigits: digits })
      expect(shares.map((share) => formatPercent(share, digits))).toEqual(
        shares.map((share) => `${intl.format(100 * share)}\u00a0%`),
      )
    }
  })

  it('of distances in time is that of Intl', () => {
    const intl = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
    const distances = [
      [22, 1, 'second'],
      [60, 60, 'minute'],
      [3_540, 60, 'minute'],
      [3_600, 3_600, 'hour'],
      [20 * 3_600, 3_600, 'hour'],
      [86_400, 86_400, 'day'],
      [5 * 86_400, 86_400, 'day'],
      [2_592_000, 2_592_000, 'month'],
      [31_536_000, 31_536_000, 'year'],
      [70_000_000, 31_536_000, 'year'],
    ] as const
    for (const sign of [1, -1])
      for (const [seconds, size, unit] of distances)
        expect(formatRelative(sign * seconds * 1000, 0)).toBe(intl.format(sign * Math.floor(seconds / size), unit))
    expect([formatRelative(-3_000, 0), formatRelative(0, 0), formatRelative(3_000, 0)]).toEqual([
      'just now',
      'just now',
      'in a moment',
    ])
  })

  it.each([
    ['en', 'Nov 23, 2026', 'Nov 23, 2026, 6:37 AM'],
    ['en-GB', '23 Nov 2026', '23 Nov 2026, 06:37'],
    ['de', '23.11.2026', '23.11.2026, 06:37'],
  ])('of times in %s is that of the locale, in the zone of the reader', (locale, date, dateTime) => {
    const reader = { locale, timeZone: 'Europe/Berlin' }
    const at = new Date('2026-11-23T05:37:09Z')
    expect([formatDate(at, reader), formatDateTime(at, reader), formatDay('2026-11-23', reader)]).toEqual([
      date,
      dateTime,
      date,
    ])
  })

  it('of times in full has UTC', () => {
    const text = formatInFull(new Date('2026-11-23T05:37:09Z'), { locale: 'en-GB', timeZone: 'Europe/Berlin' })
    expect(text).toMatch(/06:37:09.*\n2026-11-23 05:37:09 UTC$/)
  })
})
