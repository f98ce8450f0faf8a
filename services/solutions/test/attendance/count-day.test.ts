import { describe, expect, it } from '@jest/globals'
import { countDay, type DayInput } from '../../src/attendance/counting/count-day.ts'
import { at, badges, building, entry, factsOf, floor1, floor2, list, places, room, site } from './made-facts.ts'

/** Teams by position: a division with two teams. */
const teamParents = Int32Array.of(-1, 0, 0)

function count(facts: Partial<DayInput['facts']>, more: Partial<DayInput> = {}) {
  return countDay({
    day: 20_000,
    places: places(),
    teamParents,
    statedHeadcounts: [null, null, null],
    homeOf: Int32Array.of(-1, -1, -1),
    people: [],
    facts: { badge_events: [], attendance_days: [], bookings: [], counts: [], ...facts },
    ...more,
  })
}

const counter = (space: number, level: number) => factsOf('counts', [[-1, space, -1, at('09:00'), level, -1, -1]])
const booking = (space: number, person: number, attendees: number) =>
  factsOf('bookings', [[person, space, -1, at('09:00'), at('10:00'), attendees, -1, 0]])

const sourcesOf = ({ spaces }: ReturnType<typeof countDay>) =>
  spaces.map(({ source, attendanceSource }) => [source, attendanceSource])

describe('countDay', () => {
  it('takes the level of each space from its most direct measure', () => {
    const day = count({
      counts: [counter(floor2, 9)],
      badge_events: [
        badges([
          [1, floor2, '09:00', entry],
          [2, floor1, '09:00', entry],
        ]),
      ],
      bookings: [booking(room, 1, 6)],
    })
    expect(sourcesOf(day)).toEqual([
      ['badge_events', 'badge_events'],
      ['badge_events', 'badge_events'],
      ['badge_events', 'badge_events'],
      ['counts', 'badge_events'],
      ['bookings', null],
    ])
    expect(day.spaces.map(({ hourlyPeak }) => hourlyPeak[9])).toEqual([10, 10, 1, 9, 6])
    expect(day.spaces.map(({ attendance }) => attendance)).toEqual([2, 2, 1, 1, null])
    // Hours of people come from badges alone.
    expect(day.spaces.map(({ hourlyAttendance }) => hourlyAttendance[9])).toEqual([2, 2, 1, 1, undefined])
  })

  it('adds a counted floor to the other floors, but not to those who swiped at the door of the building', () => {
    const peaksOf = (rows: [number, number, string][]) =>
      count({
        counts: [counter(floor2, 9)],
        badge_events: [badges(rows.map(([person, space, time]) => [person, space, time, entry]))],
      }).spaces.map(({ hourlyPeak }) => hourlyPeak[9])
    const atDoor = Array.from({ length: 12 }, (_, person): [number, number, string] => [person, building, '08:00'])
    expect(peaksOf(atDoor)).toEqual([12, 12, undefined, 9, undefined])
    expect(peaksOf(atDoor.slice(0, 4))).toEqual([9, 9, undefined, 9, undefined])
    expect(peaksOf([...atDoor.slice(0, 4), [20, floor1, '08:30'], [21, floor1, '09:30']])).toEqual([
      11,
      11,
      2,
      9,
      undefined,
    ])
  })

  it('takes the level of a floor from the next measure where only a room of it has a counter', () => {
    const counts = [counter(room, 4)]
    const sourceOf = (facts: Partial<DayInput['facts']>) => count({ counts, ...facts }).spaces[floor1]?.source
    expect(count({ counts }).spaces[room]?.source).toBe('counts')
    expect(sourceOf({ badge_events: [badges([[2, floor1, '09:00', entry]])] })).toBe('badge_events')
    expect(sourceOf({ attendance_days: [list([[2, floor1]])] })).toBe('attendance_days')
    expect(sourceOf({ bookings: [booking(floor1, 1, 6)] })).toBe('bookings')
    expect(sourceOf({})).toBeNull()
    // Of lists the level is not known, so that bookings tell it.
    const both = { attendance_days: [list([[2, floor1]])], bookings: [booking(floor1, 1, 6)] }
    expect(count({ counts, ...both }).spaces[floor1]).toMatchObject({ source: 'bookings', attendance: 1 })
  })

  it('has no hours where people come from lists, and no figures where nothing measures', () => {
    const day = count({
      attendance_days: [
        list([
          [1, floor1],
          [2, floor1],
        ]),
      ],
    })
    expect(sourcesOf(day)[floor1]).toEqual(['attendance_days', 'attendance_days'])
    expect(sourcesOf(day)[room]).toEqual([null, null])
    expect(day.spaces[floor1]).toMatchObject({ attendance: 2, hourlyAttendance: [], hourlyAverage: [], hourlyPeak: [] })
    expect(day.listedSites.size).toBe(1)
  })

  it('has a day without people where readers were silent', () => {
    const day = count({ badge_events: [badges([], [floor1])] })
    expect(day.spaces[floor1]).toMatchObject({
      attendance: 0,
      attendanceSource: 'badge_events',
      source: 'badge_events',
    })
    expect(day.spaces[floor2]).toMatchObject({ attendance: null, source: null })
    expect(day.teams.map(({ attendance }) => attendance)).toEqual([0, 0, 0])
  })

  it('falls back to badges where a counter reads 0 while people are there', () => {
    const day = count({ counts: [counter(floor1, 0)], badge_events: [badges([[1, floor1, '09:00', entry]])] })
    expect(day.spaces[floor1]).toMatchObject({ source: 'badge_events' })
    expect(day.failedCounters.map(({ value }) => value)).toEqual([floor1])
  })

  it('counts the members of each team who came, and uses of bookings by them', () => {
    const people = [
      factsOf('people', [
        [1, -1, 1, -1, -1],
        [2, -1, 2, -1, -1],
        [3, -1, 2, -1, -1],
      ]),
    ]
    const facts = {
      badge_events: [
        badges([
          [1, floor1, '09:00', entry],
          [2, floor2, '09:00', entry],
          [9, floor2, '09:00', entry],
        ]),
      ],
      bookings: [booking(room, 1, 1), booking(room, 2, 1)],
    }
    const day = count(facts, { people })
    expect(day.teams.map(({ attendance, headcount, source }) => [attendance, headcount, source])).toEqual([
      [2, 3, 'badge_events'],
      [1, 1, 'badge_events'],
      [1, 2, 'badge_events'],
    ])
    // The readers are on the floor of the room: person 1 was there, person 2 on another.
    expect(day.bookings.get(room)).toMatchObject({ booked: 2, used: 1, noShows: 1 })
    expect([...day.people].sort()).toEqual([1, 2, 9])
    expect(day.visitors.teams.get(0)).toEqual([1, 2])
    expect(day.visitors.spaces.get(building)).toEqual([1, 2, 9])
    expect(day.peopleInNoList).toEqual([9])
    const unmapped = people.map((one) => ({ ...one, teamOf: new Map([[1, 1]]) }))
    expect(count(facts, { people: unmapped }).peopleInNoList).toEqual([9])
    const stated = factsOf('badge_events', [[9, floor2, 2, at('09:00') * 60, entry]])
    expect(count({ badge_events: [...facts.badge_events, stated] }, { people }).peopleInNoList).toEqual([])
  })

  it('adds up headcounts by home: a team without one is at the home of the team around it', () => {
    const headcountsOf = (stated: (number | null)[], homes: number[]) =>
      count({}, { statedHeadcounts: stated, homeOf: Int32Array.from(homes) }).spaces.map(({ headcount }) => headcount)
    // Of 30, 12 are at home on the second floor; the other 18 on the first, 8 of them in a team without a home.
    expect(headcountsOf([30, 12, 8], [floor1, floor2, -1])).toEqual([30, 30, 18, 12, null])
    expect(headcountsOf([null, 12, 8], [site, floor2, -1])).toEqual([20, 12, null, 12, null])
    expect(headcountsOf([30, 12, 8], [-1, -1, -1])).toEqual([null, null, null, null, null])
    // A division that states less than its teams has no one of its own.
    expect(headcountsOf([10, 12, 8], [floor1, floor2, floor2])).toEqual([20, 20, 0, 20, null])
  })
})
