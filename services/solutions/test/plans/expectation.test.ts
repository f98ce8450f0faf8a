import { describe, expect, it } from '@jest/globals'
import { expectationOf, hoursOf, peakOf, profileOf } from '../../src/plans/expectation.ts'
import { dayOf, spaceOf } from './made-plan.ts'

describe('the expected people of a day', () => {
  it('are those of a forecast, never below 0', () => {
    const space = spaceOf('Floor 1', { forecast: { mean: 12.34, lower: -2, upper: 20.06 }, days: [dayOf(99)] })
    expect(expectationOf(space, null)).toEqual({
      mean: 12.3,
      lower: 0,
      upper: 20.1,
      source: 'forecast',
      measure: 'attendance',
    })
    const withoutBounds = spaceOf('Floor 1', { forecast: { mean: -1, lower: null, upper: null } })
    expect(expectationOf(withoutBounds, null)).toEqual({
      mean: 0,
      lower: null,
      upper: null,
      source: 'forecast',
      measure: 'attendance',
    })
  })

  it('are none on a rest day, whatever the forecast says', () => {
    const space = spaceOf('Floor 1', { forecast: { mean: 12, lower: 10, upper: 14 } })
    const expected = expectationOf(space, { reason: 'holiday', name: 'Tag der Deutschen Einheit' })
    expect(expected).toEqual({ mean: 0, lower: 0, upper: 0, source: 'rest_day' })
  })

  it('are without a forecast the mean of the same weekday, with an interval of Student t', () => {
    // Mean 100, s = 10 (deviations −10, 0, 10 over 2 degrees of freedom), t(0.9; 2) = 1.886:
    // 1.886 × 10 × √(4/3) = 21.8.
    const days = [90, 100, 110].map((attendance) => dayOf(attendance))
    expect(profileOf(days)).toEqual({ mean: 100, lower: 78.2, upper: 121.8, source: 'profile' })
  })

  it('are not known from fewer than 3 days, nor if more than half of the days are withheld', () => {
    expect(profileOf([dayOf(90), dayOf(110)])).toBeNull()
    const shown = [dayOf(20), dayOf(20), dayOf(20)]
    expect(profileOf([...shown, dayOf(null), dayOf(null), dayOf(null)])?.mean).toBe(20)
    expect(profileOf([...shown, dayOf(null), dayOf(null), dayOf(null), dayOf(null)])).toBeNull()
  })

  it('leave out days that no one counted', () => {
    const unknown = { ...dayOf(null), isSuppressed: false }
    expect(profileOf([dayOf(20), dayOf(20), dayOf(20), unknown, unknown, unknown, unknown])?.mean).toBe(20)
  })
})

describe('the people of an hour', () => {
  const expected = { mean: 60, lower: 50, upper: 70, source: 'forecast' as const }

  it('are the expected people times the share of people of a day who are there', () => {
    // (40 + 20) of (50 + 50) were there at 9, of whom 60 × 0.6 = 36 are expected; at 10 (50 + 40) of 100: 54.
    const hours = hoursOf(expected, [dayOf(50, { 9: 40, 10: 50 }), dayOf(50, { 9: 20, 10: 40 })])
    expect(hours[9]).toEqual({ start: '09:00', people: 36 })
    expect(peakOf(hours)).toEqual({ start: '10:00', people: 54 })
  })

  it('are null where the hour is withheld on more than half of the days', () => {
    const days = [dayOf(50, { 9: 40, 10: 5 }), dayOf(50, { 9: 40 }), dayOf(50, { 9: 40 })]
    const hours = hoursOf(expected, days)
    expect([hours[9]?.people, hours[10]?.people, hours[3]?.people]).toEqual([48, null, null])
  })

  it('take no share of a day whose attendance is withheld', () => {
    const withheld = { ...dayOf(null, { 9: 9 }), isSuppressed: true }
    expect(hoursOf(expected, [dayOf(50, { 9: 25 }), withheld])[9]?.people).toBe(30)
  })

  it('are missing if no times are measured, and no one is there if no one is expected', () => {
    expect(hoursOf(expected, [dayOf(50)])).toEqual([])
    expect(hoursOf(null, [dayOf(50, { 9: 40 })])).toEqual([])
    const none = { ...expected, mean: 0 }
    expect(hoursOf(none, [dayOf(50, { 9: 40 })])[9]?.people).toBe(0)
  })
})
