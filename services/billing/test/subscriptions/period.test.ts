import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { calendarAnchor, periodAt } from '../../src/subscriptions/period.ts'

const texts = ({ start, end }: { start: Date; end: Date }) => [start.toISOString(), end.toISOString()]
const day = (date: string) => `${date}T10:00:00.000Z`

describe('periodAt', () => {
  it.each([
    ['2026-01-15', '2026-01-15', '2026-01-15', '2026-02-15'],
    ['2026-01-15', '2026-02-14', '2026-01-15', '2026-02-15'],
    ['2026-01-31', '2026-02-01', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-03-31', '2026-03-31', '2026-04-30'],
    ['2027-12-30', '2028-02-29', '2028-02-29', '2028-03-30'],
    ['2026-12-05', '2027-01-04', '2026-12-05', '2027-01-05'],
  ])('of anchor %s at %s is %s to %s', (anchor, time, start, end) => {
    expect(texts(periodAt(new Date(day(anchor)), new Date(day(time))))).toEqual([day(start), day(end)])
  })

  it('begins at the time of day of the anchor', () => {
    const { end } = periodAt(new Date(day('2026-01-15')), new Date('2026-02-15T09:59:59.999Z'))
    expect(end.toISOString()).toBe(day('2026-02-15'))
  })

  it('is the calendar month for the calendar anchor', () => {
    const period = periodAt(calendarAnchor, new Date('2026-02-28T23:59:59.999Z'))
    expect(texts(period)).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'])
  })

  const times = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  it('contains the time, and the next period begins where it ends, for any anchor and time', () => {
    fc.assert(
      fc.property(times, times, (anchor, time) => {
        const period = periodAt(anchor, time)
        expect(period.start <= time && time < period.end).toBe(true)
        expect(periodAt(anchor, period.start)).toEqual(period)
        expect(periodAt(anchor, period.end).start).toEqual(period.end)
      }),
    )
  })
})
