import { describe, expect, it } from '@jest/globals'
import { countBookingMonth, type SpaceBookings } from '../../src/attendance/counting/count-booking-month.ts'
import { dayOf } from '../../src/workplace/local-days.ts'

/** A building with two floors. */
const building = Int32Array.from([-1, 0, 0])
const ended = { isOver: true, threshold: 5 }

const bookings = (position: number, date: string, booked: number, more: Partial<SpaceBookings> = {}) => ({
  position,
  day: dayOf(date),
  booked,
  used: booked,
  released: 0,
  noShows: 0,
  unknown: 0,
  minutesLost: 0,
  ...more,
})

/** Returns the position and weekday of what is withheld. */
const withheld = (...given: Parameters<typeof countBookingMonth>) =>
  countBookingMonth(...given)
    .filter(({ isSuppressed }) => isSuppressed)
    .map(({ position, weekday }) => `${position}/${weekday}`)
    .sort()

// Mondays of March 2026: 2, 9, 16, 23, 30.
describe('countBookingMonth', () => {
  it('sums the days of a weekday', () => {
    const cells = countBookingMonth(
      Int32Array.from([-1]),
      [
        bookings(0, '2026-03-02', 5, { released: 1, noShows: 2, minutesLost: 60 }),
        bookings(0, '2026-03-09', 7, { used: 3, unknown: 4 }),
        bookings(0, '2026-03-08', 9),
      ],
      ended,
    )
    expect(cells).toEqual([
      {
        position: 0,
        weekday: 1,
        isSuppressed: false,
        booked: 12,
        used: 8,
        released: 1,
        noShows: 2,
        unknown: 4,
        minutesLost: 60,
      },
      {
        position: 0,
        weekday: 7,
        isSuppressed: false,
        booked: 9,
        used: 9,
        released: 0,
        noShows: 0,
        unknown: 0,
        minutesLost: 0,
      },
    ])
  })

  it('withholds few bookings, and what would tell them', () => {
    const floors = [bookings(0, '2026-03-02', 23), bookings(1, '2026-03-02', 20), bookings(2, '2026-03-02', 3)]
    expect(withheld(building, floors, ended)).toEqual(['1/1', '2/1'])
    // The building has 3 bookings of no floor.
    const lobby = [bookings(0, '2026-03-02', 33), bookings(1, '2026-03-02', 20), bookings(2, '2026-03-02', 10)]
    expect(withheld(building, lobby, ended)).toEqual(['2/1'])
  })

  it('counts released bookings as bookings', () => {
    expect(withheld(Int32Array.from([-1]), [bookings(0, '2026-03-02', 2, { released: 3 })], ended)).toEqual([])
  })

  it('shows a month that runs where no day is of few bookings', () => {
    const running = { isOver: false, threshold: 5 }
    const single = Int32Array.from([-1])
    expect(withheld(single, [bookings(0, '2026-03-02', 6), bookings(0, '2026-03-09', 5)], running)).toEqual([])
    expect(withheld(single, [bookings(0, '2026-03-02', 6), bookings(0, '2026-03-09', 4)], running)).toEqual(['0/1'])
  })

  it.each<[string, number[], number[], boolean, string[]]>([
    ['a day has 2 bookings outside of the floor', [35, 16], [19, 14], false, ['1/1']],
    ['it is over, and showed 35 and 19 before that day', [35, 16], [19, 14], true, ['1/1']],
    ['it is over, and the days since then have 6', [35, 16, 20], [19, 14, 16], true, []],
  ])('withholds what differences tell when %s', (_, inAll, onFloor, isOver, expected) => {
    const dates = ['2026-03-02', '2026-03-09', '2026-03-16']
    const days = (position: number, counts: number[]) => counts.map((n, at) => bookings(position, dates[at] ?? '', n))
    const both = [...days(0, inAll), ...days(1, onFloor)]
    expect(withheld(Int32Array.from([-1, 0]), both, { isOver, threshold: 5 })).toEqual(expected)
  })

  it('withholds a month that is over if what was shown while it ran would tell of few bookings', () => {
    const single = Int32Array.from([-1])
    const early = [bookings(0, '2026-03-02', 6), bookings(0, '2026-03-09', 4)]
    // The month showed 6 after the first Monday, and 10 now.
    expect(withheld(single, early, ended)).toEqual(['0/1'])
    expect(withheld(single, [...early, bookings(0, '2026-03-16', 1)], ended)).toEqual([])
    // Nothing was shown before.
    expect(withheld(single, [bookings(0, '2026-03-02', 4), bookings(0, '2026-03-09', 6)], ended)).toEqual([])
  })
})
