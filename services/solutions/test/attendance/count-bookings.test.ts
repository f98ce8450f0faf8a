import { describe, expect, it } from '@jest/globals'
import { countBookings, withoutRepeatedBookings } from '../../src/attendance/counting/count-bookings.ts'
import { at, building, factsOf, floor1, floor2, places, room, site } from './made-facts.ts'

/** Returns bookings of person, use and cancellation of the room, from 09:00 to 10:30. */
const bookings = (rows: [number, number, number][], space = room) =>
  factsOf(
    'bookings',
    rows.map(([person, used, cancelled]) => [person, space, -1, at('09:00'), at('10:30'), -1, used, cancelled]),
  )

const { parents } = places()
const seenNowhere = () => undefined
const none = { booked: 0, used: 0, released: 0, noShows: 0, unknown: 0, minutesLost: 0 }

describe('countBookings', () => {
  it('counts used, cancelled and unused bookings by the file, in the space and in all around it', () => {
    const figures = countBookings(
      [
        bookings([
          [1, 1, 0],
          [2, 1, 0],
          [3, 0, 0],
          [4, 0, 1],
          [5, 1, 1],
        ]),
      ],
      parents,
      seenNowhere,
    )
    const expected = { booked: 3, used: 2, released: 2, noShows: 1, unknown: 0, minutesLost: 90 }
    for (const space of [room, floor1, building, site]) expect(figures.get(space)).toEqual(expected)
    expect(figures.has(floor2)).toBe(false)
  })

  it('counts equal rows as often as they occur', () => {
    const figures = countBookings(
      [
        bookings([
          [1, 0, 0],
          [1, 0, 0],
        ]),
      ],
      parents,
      seenNowhere,
    )
    expect(figures.get(room)).toEqual({ ...none, booked: 2, noShows: 2, minutesLost: 180 })
  })

  // Elsewhere, bookings without a person may be of several places in the space.
  it.each([
    ['person once', false, 4],
    ['room once, with and without a person,', true, 2],
  ])('counts a booking of a %s if two datasets have it', (_, isRoom, booked) => {
    const first = bookings([
      [1, 1, 0],
      [-1, 1, 0],
    ])
    const second = bookings([
      [1, 1, 0],
      [2, 1, 0],
      [-1, 1, 0],
    ])
    const figures = countBookings(
      withoutRepeatedBookings([first, second], () => isRoom),
      parents,
      seenNowhere,
    )
    expect(figures.get(room)).toEqual({ ...none, booked, used: booked })
  })

  it('counts a booking as used if its person was in the room or directly around it', () => {
    // Person 1 was in the room, 2 on its floor, 3 elsewhere in the building.
    const seen: Record<number, number[]> = { [room]: [1], [floor1]: [1, 2], [building]: [1, 2, 3] }
    const wasIn = (space: number, person: number) => seen[space]?.includes(person)
    const figures = countBookings(
      [
        bookings([
          [1, -1, 0],
          [2, -1, 0],
          [3, -1, 0],
        ]),
      ],
      parents,
      wasIn,
    )
    expect(figures.get(room)).toEqual({ ...none, booked: 3, used: 2, noShows: 1, minutesLost: 90 })
  })

  it('asks the space around where no measure tells people apart in the space itself', () => {
    const wasIn = (space: number, person: number) => (space === floor1 ? person === 1 : undefined)
    const figures = countBookings(
      [
        bookings([
          [1, -1, 0],
          [2, -1, 0],
        ]),
      ],
      parents,
      wasIn,
    )
    expect(figures.get(room)).toEqual({ ...none, booked: 2, used: 1, noShows: 1, minutesLost: 90 })
  })

  it('does not know the use without a person, or without a measure around', () => {
    const withoutPerson = countBookings([bookings([[-1, -1, 0]])], parents, () => true)
    const withoutMeasure = countBookings([bookings([[1, -1, 0]])], parents, (space) =>
      space === building ? true : undefined,
    )
    for (const figures of [withoutPerson, withoutMeasure])
      expect(figures.get(room)).toEqual({ ...none, booked: 1, unknown: 1 })
  })

  it('believes a file that states no use over a badge', () => {
    expect(countBookings([bookings([[1, 0, 0]])], parents, () => true).get(room)?.noShows).toBe(1)
  })

  it('leaves out bookings of values without a space', () => {
    expect(
      countBookings([{ ...bookings([[1, 1, 0]]), spaceOf: new Map([[room, -1]]) }], parents, seenNowhere).size,
    ).toBe(0)
  })
})
