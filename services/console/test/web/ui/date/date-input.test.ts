import { describe, expect, it } from '@jest/globals'
import { fromLocalTime, toLocalTime } from '../../../../web/src/ui/date/local-time.ts'
import { addMonths, clampDay, dayAfterKey, weeksOfMonth } from '../../../../web/src/ui/date/month-grid.ts'
import { formatTypedDay, parseTypedDay, parseTypedTime } from '../../../../web/src/ui/date/parse-day.ts'

describe('a typed date', () => {
  it.each([
    ['23.11.2026', 'de', '2026-11-23'],
    ['3.1.26', 'de', '2026-01-03'],
    ['11/23/2026', 'en-US', '2026-11-23'],
    ['23/11/2026', 'en-GB', '2026-11-23'],
    ['2026/11/23', 'ja', '2026-11-23'],
    ['2026-11-23', 'en-US', '2026-11-23'],
    ['31.11.2026', 'de', undefined],
    ['11/23/2026', 'en-GB', undefined],
    ['23.11.', 'de', undefined],
    ['23 Nov 2026', 'en-GB', undefined],
    ['', 'de', undefined],
  ])('%p in %s is %p', (text, locale, day) => expect(parseTypedDay(text, locale)).toBe(day))

  it('is read as it is shown in every language of the profile', () => {
    for (const locale of ['en', 'en-GB', 'de-CH', 'fr', 'pl', 'sv', 'ja', 'th', 'ar-EG', 'fa'])
      expect(parseTypedDay(formatTypedDay('2026-03-04', locale), locale)).toBe('2026-03-04')
  })
})

it.each([
  ['9', '09:00'],
  ['9:30', '09:30'],
  ['0930', '09:30'],
  ['9.30', '09:30'],
  ['9:30 pm', '21:30'],
  ['12 am', '00:00'],
  ['24:00', undefined],
  ['13 pm', undefined],
  ['9:5', undefined],
])('the typed time %p is %p', (text, time) => expect(parseTypedTime(text)).toBe(time))

describe('a time in the zone of the reader', () => {
  const berlin = { timeZone: 'Europe/Berlin' }

  it('is converted there and back, on both sides of a change of the clocks', () => {
    expect(toLocalTime('2026-07-01T10:00:00Z', berlin)).toBe('2026-07-01T12:00')
    expect(fromLocalTime('2026-07-01T12:00', berlin)).toBe('2026-07-01T10:00:00.000Z')
    expect(fromLocalTime('2026-12-01T12:00', berlin)).toBe('2026-12-01T11:00:00.000Z')
    expect(fromLocalTime('2026-03-29T03:00', berlin)).toBe('2026-03-29T01:00:00.000Z')
    expect(fromLocalTime('2026-10-25T03:00', berlin)).toBe('2026-10-25T02:00:00.000Z')
  })

  it('that the clocks skip becomes the time an hour later', () => {
    expect(fromLocalTime('2026-03-29T02:30', berlin)).toBe('2026-03-29T01:30:00.000Z')
  })

  it('is none for what is no time', () => {
    expect([toLocalTime('yesterday', berlin), toLocalTime(undefined, {}), fromLocalTime('', berlin)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a calendar', () => {
  it('has the weeks of a month from the first weekday of the locale', () => {
    const weeks = weeksOfMonth('2026-11-23', 1)
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.[6]]).toEqual([6, '2026-10-26', '2026-12-06'])
    expect(weeksOfMonth('2026-11-23', 7)[0]?.[0]).toBe('2026-11-01')
  })

  it('moves by keys', () => {
    const after = (key: string, shiftKey = false) => dayAfterKey('2026-11-30', { key, shiftKey }, 1)
    expect(['ArrowRight', 'ArrowUp', 'Home', 'End', 'PageDown', 'a'].map((key) => after(key))).toEqual([
      '2026-12-01',
      '2026-11-23',
      '2026-11-30',
      '2026-12-06',
      '2026-12-30',
      undefined,
    ])
    expect(after('PageUp', true)).toBe('2025-11-30')
  })

  it('keeps within the month and the limits', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(clampDay('2026-01-31', '2026-02-01', undefined)).toBe('2026-02-01')
    expect(clampDay('2026-03-31', undefined, '2026-02-01')).toBe('2026-02-01')
  })
})
