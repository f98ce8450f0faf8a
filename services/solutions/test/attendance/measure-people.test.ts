import { describe, expect, it } from '@jest/globals'
import { measurePeople } from '../../src/attendance/counting/measure-people.ts'
import { openHourBits } from '../../src/attendance/counting/measures.ts'
import {
  badges,
  building,
  entry,
  exit,
  floor1,
  floor2,
  hoursOf,
  list,
  places,
  room,
  site,
  unknown,
} from './made-facts.ts'

/** Returns the minutes that people spent in a space, by the averages of its hours. */
function minutesIn({ hourlyAverage }: ReturnType<typeof measurePeople>, space: number): number {
  return Math.round(Object.values(hoursOf(hourlyAverage, space)).reduce((sum, average) => sum + average * 60, 0))
}

describe('badge events', () => {
  it('count a person from the entry to the exit, in the space and in all around it', () => {
    const figures = measurePeople(
      [
        badges([
          [1, room, '09:15', entry],
          [1, room, '11:30', exit],
        ]),
      ],
      [],
      places(),
    )
    // 45 minutes of the hour from 9, all of the next, 30 minutes of the third.
    for (const space of [room, floor1, building, site]) {
      expect(hoursOf(figures.hourlyAverage, space)).toEqual({ 9: 0.75, 10: 1, 11: 0.5 })
      expect(hoursOf(figures.hourlyPeak, space)).toEqual({ 9: 1, 10: 1, 11: 1 })
      expect(hoursOf(figures.people.hourlyAttendance, space)).toEqual({ 9: 1, 10: 1, 11: 1 })
    }
    expect([...figures.people.attendance]).toEqual([1, 1, 1, 0, 1])
    expect(hoursOf(figures.hourlyPeak, floor2)).toEqual({})
  })

  it('count an exit at the full hour to the hours before', () => {
    const figures = measurePeople(
      [
        badges([
          [1, floor1, '09:00', entry],
          [1, floor1, '11:00', exit],
        ]),
      ],
      [],
      places(),
    )
    expect(hoursOf(figures.hourlyPeak, floor1)).toEqual({ 9: 1, 10: 1 })
    // The swipe of the exit itself was seen in the hour from 11.
    expect(hoursOf(figures.people.hourlyAttendance, floor1)).toEqual({ 9: 1, 10: 1, 11: 1 })
  })

  it('count a person without an exit until the space closes', () => {
    const figures = measurePeople([badges([[1, floor1, '16:00', entry]])], [], places())
    expect(minutesIn(figures, floor1)).toBe(120)
    expect(hoursOf(figures.hourlyPeak, floor1)).toEqual({ 16: 1, 17: 1 })
  })

  it('count a person with an exit alone as attendance without presence', () => {
    const figures = measurePeople([badges([[1, floor1, '17:00', exit]])], [], places())
    expect(figures.people.attendance[floor1]).toBe(1)
    expect(hoursOf(figures.people.hourlyAttendance, floor1)).toEqual({ 17: 1 })
    expect(minutesIn(figures, floor1)).toBe(0)
  })

  it('count a person once, however many swipes and readers', () => {
    const rows: [number, number, string, number][] = [
      [1, floor1, '09:00', entry],
      [1, floor1, '09:00', entry],
      [1, floor1, '12:00', exit],
      [1, floor2, '13:00', entry],
      [1, floor2, '17:00', exit],
    ]
    const figures = measurePeople([badges(rows)], [], places())
    expect([...figures.people.attendance]).toEqual([1, 1, 1, 1, 0])
    expect([floor1, floor2, building].map((space) => minutesIn(figures, space))).toEqual([180, 240, 420])
    expect(Math.max(...figures.hourlyPeak)).toBe(1)
  })

  it('end a stay that begins and ends within a minute', () => {
    // Sorted by value, the exit would come first at a reader whose number is smaller.
    const figures = measurePeople(
      [
        badges([
          [1, floor1, '09:00', exit],
          [1, floor1, '09:00', entry],
        ]),
      ],
      [],
      places(),
    )
    expect(minutesIn(figures, floor1)).toBe(0)
    expect(figures.people.attendance[floor1]).toBe(1)
  })

  it.each([
    [floor1, floor2],
    [floor2, floor1],
  ])('move a person from floor %d to %d without an exit, and with one in the same minute', (from, to) => {
    for (const leaving of [[], [[1, from, '10:00', exit]]] as [number, number, string, number][][]) {
      const rows: [number, number, string, number][] = [
        [1, from, '09:00', entry],
        ...leaving,
        [1, to, '10:00', entry],
        [1, to, '12:00', exit],
      ]
      const figures = measurePeople([badges(rows)], [], places())
      expect([from, to, building].map((space) => minutesIn(figures, space))).toEqual([60, 120, 180])
    }
  })

  it('end the stay on a floor by an exit of the building, also in the minute of the entry', () => {
    const later = [
      badges([
        [1, floor1, '09:00', entry],
        [1, building, '12:00', exit],
      ]),
    ]
    expect(minutesIn(measurePeople(later, [], places()), floor1)).toBe(180)
    const atOnce = [
      badges([
        [1, floor1, '09:00', entry],
        [1, building, '09:00', exit],
      ]),
    ]
    expect(minutesIn(measurePeople(atOnce, [], places()), building)).toBe(0)
  })

  it('take swipes without a direction as moves', () => {
    const figures = measurePeople(
      [
        badges([
          [1, floor1, '09:00', unknown],
          [1, floor2, '10:00', unknown],
        ]),
      ],
      [],
      places(),
    )
    expect([floor1, floor2].map((space) => minutesIn(figures, space))).toEqual([60, 480])
  })

  it('keep a person whose last swipe is after the space closed until that swipe', () => {
    const rows: [number, number, string, number][] = [
      [1, floor1, '17:00', entry],
      [1, floor2, '19:30', entry],
    ]
    const figures = measurePeople([badges(rows)], [], places())
    expect([floor1, floor2].map((space) => minutesIn(figures, space))).toEqual([150, 0])
    expect(hoursOf(figures.people.hourlyAttendance, floor2)).toEqual({ 19: 1 })
  })

  it('keep people of a closed day until 20:00, in hours that are not open', () => {
    const closed = places('20:00', '20:00')
    const figures = measurePeople(
      [
        badges([
          [1, floor1, '18:30', entry],
          [2, floor1, '21:00', entry],
        ]),
      ],
      [],
      closed,
    )
    expect(hoursOf(figures.hourlyAverage, floor1)).toEqual({ 18: 0.5, 19: 1 })
    expect(hoursOf(figures.people.hourlyAttendance, floor1)).toEqual({ 18: 1, 19: 1, 21: 1 })
    expect(openHourBits(1_200, 1_200)).toBe(0)
    // From 08:30 to 17:15, the hours from 8 to 17 are open in part or whole.
    expect(openHourBits(510, 1_035).toString(2)).toBe('111111111100000000')
    expect(openHourBits(0, 1_440)).toBe(2 ** 24 - 1)
  })

  it('know a person again in another dataset', () => {
    const [a, b] = [
      badges([
        [1, floor1, '09:00', entry],
        [3, floor1, '09:00', entry],
      ]),
      badges([
        [1, floor2, '10:00', entry],
        [2, floor2, '10:00', entry],
      ]),
    ]
    const figures = measurePeople([a, b], [], places())
    expect([...figures.people.attendance]).toEqual([3, 3, 2, 2, 0])
    // Person 1 moved: at 10:00 one is left on the first floor and two are on the second.
    expect([floor1, floor2, building].map((space) => hoursOf(figures.hourlyPeak, space)[10])).toEqual([1, 2, 3])
  })

  it('are left out where their value has no space', () => {
    const unmapped = { ...badges([[1, floor1, '09:00', entry]]), spaceOf: new Map([[floor1, -1]]) }
    const figures = measurePeople([unmapped], [], places())
    expect([...figures.isCovered]).toEqual([0, 0, 0, 0, 0])
    expect([...figures.people.visits]).toEqual([])
  })
})

describe('lists of attendance', () => {
  it('are used where no badge reader is', () => {
    const figures = measurePeople(
      [badges([[1, floor1, '09:00', entry]])],
      [
        list([
          [1, floor2],
          [2, floor1],
          [3, floor2],
        ]),
      ],
      places(),
    )
    // Person 2 of the list is on a floor that has a reader, which did not see them.
    expect([...figures.people.attendance]).toEqual([2, 2, 1, 2, 0])
    expect([...figures.hasReaders]).toEqual([1, 1, 1, 0, 0])
    expect([...figures.isCovered]).toEqual([1, 1, 1, 1, 0])
    expect([...figures.listedSites]).toEqual([site])
    expect(hoursOf(figures.people.hourlyAttendance, floor2)).toEqual({})
  })

  it('count no one where readers were silent on the day', () => {
    const figures = measurePeople([badges([], [floor1])], [list([[2, floor1]])], places())
    expect(figures.people.attendance[floor1]).toBe(0)
    expect([...figures.listedSites]).toEqual([])
  })
})
