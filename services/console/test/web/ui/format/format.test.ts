import { describe, expect, it } from '@jest/globals'
import { signsOf } from '@wp/contracts/local-text'
import {
  formatAmount,
  formatBytes,
  formatCompact,
  formatMoney,
  formatNumber,
  formatPercent,
} from '../../../../web/src/ui/format/format.ts'
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatInFull,
  formatInWords,
  formatRelative,
  formatSentence,
} from '../../../../web/src/ui/format/format-time.ts'
import {
  browserLocale,
  numberProblem,
  parseNumber,
  setNumberSigns,
  typedNumber,
} from '../../../../web/src/ui/format/number-signs.ts'

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
    // What ends is near its whole time when it was just made.
    expect(formatRelative(7 * 86_400_000 - 1, 0)).toBe('in 7 days')
    const ahead = [36, 1.5, 23.7, 24].map((hours) => formatRelative(hours * 3_600_000 - 1, 0))
    expect(ahead).toEqual(['tomorrow', 'in 1 hour', 'in 23 hours', 'tomorrow'])
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
    ['en-CA', 'Nov 23, 2026', 'Nov 23, 2026, 6:37 a.m.'],
    ['bg', '23.11.2026', '23.11.2026, 06:37'],
    ['ru', '23.11.2026', '23.11.2026, 06:37'],
    ['zh-CN', '2026/11/23', '2026/11/23, 06:37'],
    ['ko-KR', '2026. 11. 23.', '2026. 11. 23., 6:37 AM'],
    ['th-TH', '23/11/2026', '23/11/2026, 06:37'],
    ['en-US-u-ca-buddhist-nu-thai', 'Nov 23, 2026', 'Nov 23, 2026, 6:37 AM'],
  ])('of times in %s is that of the locale, in the zone of the reader', (locale, date, dateTime) => {
    const reader = { locale, timeZone: 'Europe/Berlin' }
    const at = new Date('2026-11-23T05:37:09Z')
    expect([formatDate(at, reader), formatDateTime(at, reader), formatDay('2026-11-23', reader)]).toEqual([
      date,
      dateTime,
      date,
    ])
  })

  it.each([
    ['en-US', 'at 2:00 PM, 29 Feb, Mar 1, 2026', 'February 28, 2026'],
    ['en-AU', 'at 2:00 pm, 29 Feb, 1 Mar 2026', '28 February 2026'],
    ['ru', 'at 14:00, 29 Feb, 01.03.2026', '28.02.2026'],
  ])('of a sentence in %s has the clock of the language, and moves no day that does not exist', (locale, text, day) => {
    const sentence = (text: string) => formatSentence(text, { locale, timeZone: 'UTC' })
    expect([sentence('at 14:00, 29 Feb, 2026-03-01'), sentence('28 February 2026')]).toEqual([text, day])
    const days = ['2026-02-30', '2026-02-30T10:00:00Z', '2026-13-01T10:00:00Z', '2026-02-03T24:00:00Z']
    expect(days.map(sentence)).toEqual(days)
    expect(formatDay('2026-02-30', { locale })).toBe('2026-02-30')
    if (locale === 'ru') expect(sentence('on 30 February 2026')).toBe('on 30 February 2026')
  })

  it('of times in full has UTC', () => {
    const text = formatInFull(new Date('2026-11-23T05:37:09Z'), { locale: 'en-GB', timeZone: 'Europe/Berlin' })
    expect(text).toMatch(/06:37:09.*\n2026-11-23 05:37:09 UTC$/)
  })
})

describe('the numbers of a reader', () => {
  const [london, berlin, zurich, paris] = ['en-GB', 'de-DE', 'de-CH', 'fr-FR'].map((locale) => signsOf(locale))

  it.each([
    ['480.000', [Number.NaN, 480_000, Number.NaN, Number.NaN]],
    ['480,000', [480_000, Number.NaN, Number.NaN, Number.NaN]],
    ['1,5', [1.5, 1.5, 1.5, 1.5]],
    ['1.5', [1.5, 1.5, 1.5, 1.5]],
    ['-1.234,5', [-1234.5, -1234.5, -1234.5, -1234.5]],
    ['1,234,567.5', [1_234_567.5, 1_234_567.5, 1_234_567.5, 1_234_567.5]],
    ['0,125', [0.125, 0.125, 0.125, 0.125]],
    ['1234.567', [1234.567, 1234.567, 1234.567, 1234.567]],
    ['12 345', [12_345, 12_345, 12_345, 12_345]],
    ['480’000', [480_000, 480_000, 480_000, 480_000]],
    ['1 234 567,5', [1_234_567.5, 1_234_567.5, 1_234_567.5, 1_234_567.5]],
    ['1,00,000', [100_000, 100_000, 100_000, 100_000]],
    ['١٢٣٤.٥', [1234.5, 1234.5, 1234.5, 1234.5]],
    ['१२३', [123, 123, 123, 123]],
    ...['1.234 567', '0 100', '2026 100', '1234 567', '1 234’567', '1,0,000'].map(
      (text) => [text, Array(4).fill(Number.NaN)] as const,
    ),
    ...['1,2,3', '12.34.567', '1.234.5', '1e5', '', 'many'].map((text) => [text, Array(4).fill(Number.NaN)] as const),
  ])('are read in one way or not at all when %p is typed', (text, expected) => {
    expect([london, berlin, zurich, paris].map((signs) => parseNumber(text, signs))).toEqual(expected)
  })

  it('have the signs of English when the language of the browser is no tag', () => {
    const language = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
    Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-US@posix' }, configurable: true })
    try {
      expect(signsOf(browserLocale())).toEqual({ decimal: '.', group: ',' })
      expect(formatInWords('day', 0, { timeZone: 'UTC' })).toBe('January 1')
    } finally {
      if (language !== undefined) Object.defineProperty(globalThis, 'navigator', language)
    }
  })

  it('are read as they were written when a form is opened and saved', () => {
    const numbers = [0, 5, 0.125, 1.234, 12.3456, 480, 1234.567, 480_000, -2.5]
    for (const signs of [london, berlin, zurich, paris])
      expect(numbers.map((number) => parseNumber(typedNumber(number, signs), signs))).toEqual(numbers)
    expect(numberProblem('480.000')).toBe('Enter 480000, or 480.0000: this can be read as both')
    expect(numberProblem('-1.234')).toBe('Enter -1234, or -1.2340: this can be read as both')
  })

  it('have the signs of the profile when the page knows them', () => {
    Object.assign(globalThis, { document: { documentElement: { dataset: {} } } })
    try {
      setNumberSigns(signsOf('de-DE'))
      expect([formatNumber(12_345.6), formatPercent(0.125, 1), formatBytes(1536)]).toEqual([
        '12.345,6',
        '12,5\u00a0%',
        '1,5 KiB',
      ])
      expect([formatAmount(4_560_012, 'EUR'), formatMoney(-123_450, 'EUR'), formatMoney(1234, 'JPY')]).toEqual([
        'EUR\u00a045.600',
        '-EUR\u00a01.234,50',
        'JPY\u00a01.234',
      ])
      const sentence =
        'Room 1.25 is closed: EUR 312,400 a year, EUR 0.50 a day, 97.5 % of days, version 1.25.3, 10.0.0.1'
      expect(formatSentence(sentence, { locale: 'de-DE', timeZone: 'UTC' })).toBe(
        'Room 1.25 is closed: EUR 312.400 a year, EUR 0,50 a day, 97,5 % of days, version 1.25.3, 10.0.0.1',
      )
      const german = (text: string) => formatSentence(text, { locale: 'de-DE', timeZone: 'UTC' })
      expect(german('-1,234.5 people, 1,234-1,300 people, 1.5–2.5 hours, EUR 1,234,567.50')).toBe(
        '-1.234,5 people, 1.234-1.300 people, 1,5–2,5 hours, EUR 1.234.567,50',
      )
      const names = 'rooms 101,102,103, “Room 1,234” and "Hall 0.5 hours", B-101,102, in 2026 people'
      expect(german(names)).toBe(names)
      expect(german('Floor 27" TV: EUR 1,234, Floor 32" TV')).toBe('Floor 27" TV: EUR 1.234, Floor 32" TV')
      const hostile = ['“', ' "', '1,234 ']
      for (const part of hostile) expect(german(part.repeat(200_000))).toHaveLength(200_000 * part.length)
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})
