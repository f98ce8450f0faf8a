import { describe, expect, it } from '@jest/globals'
import { measureBookings, measureCounts } from '../../src/attendance/counting/measure-counts.ts'
import { at, building, factsOf, floor1, floor2, hoursOf, places, room, site } from './made-facts.ts'

/** Returns readings of a counter by its value, with the space it belongs to. */
const counters = (rows: [number, string, number, number, number][], spaceOf: [number, number][]) =>
  factsOf(
    'counts',
    rows.map(([counter, time, value, came, left]) => [-1, counter, -1, at(time), value, came, left]),
    { spaceOf },
  )

const unused = () => false
const measure = (facts: ReturnType<typeof factsOf>[], isInUse: (space: number) => boolean = unused) =>
  measureCounts(facts, places(), isInUse)

describe('people counters', () => {
  it('hold a level until the next reading, and the last one until the space closes', () => {
    const { figures } = measure([
      counters(
        [
          [7, '09:30', 10, -1, -1],
          [7, '10:00', 20, -1, -1],
          [7, '17:00', 4, -1, -1],
        ],
        [[7, floor1]],
      ),
    ])
    expect(hoursOf(figures.hourlyAverage, floor1)).toEqual({
      9: 5,
      10: 20,
      11: 20,
      12: 20,
      13: 20,
      14: 20,
      15: 20,
      16: 20,
      17: 4,
    })
    expect(hoursOf(figures.hourlyPeak, building)[9]).toBe(10)
  })

  it('hold a reading after the space closed for a minute', () => {
    const { figures } = measure([counters([[7, '19:00', 60, -1, -1]], [[7, floor1]])])
    expect(hoursOf(figures.hourlyAverage, floor1)).toEqual({ 19: 1 })
  })

  it('take the level as entrances less exits, and never as less than 0', () => {
    // 5 in, 2 out, then 9 out of 3: what drifted is forgotten, and 4 more come.
    const rows: [number, string, number, number, number][] = [
      [7, '09:00', -1, 5, 0],
      [7, '10:00', -1, 0, 2],
      [7, '11:00', -1, 0, 9],
      [7, '12:00', -1, 4, -1],
    ]
    const { figures } = measure([counters(rows, [[7, floor1]])])
    const peaks = hoursOf(figures.hourlyPeak, floor1)
    expect([9, 10, 11, 12, 17, 18].map((hour) => peaks[hour] ?? 0)).toEqual([5, 3, 0, 4, 4, 0])
  })

  it('count who comes in by one door and leaves by another, also of another dataset', () => {
    const [north, south] = [
      counters(
        [
          [7, '09:00', -1, 50, 0],
          [7, '12:00', -1, 20, 0],
        ],
        [[7, floor1]],
      ),
      counters(
        [
          [7, '12:00', -1, 0, 60],
          [7, '13:00', -1, 0, 10],
        ],
        [[7, floor1]],
      ),
    ]
    const { figures } = measure([north, south])
    const peaks = hoursOf(figures.hourlyPeak, floor1)
    // In the minute of 12:00, 20 come and 60 of 50 + 20 leave.
    expect([9, 11, 12, 13].map((hour) => peaks[hour] ?? 0)).toEqual([50, 50, 10, 0])
  })

  it.each<[string, number[], number[], number]>([
    ['alike for as long as both have some', [1, 4, 9, 6, 2, 3], [4, 9, 6, 2, 3, 8], 8],
    ['different', [1, 4, 9, 6, 2, 3], [4, 9, 6, 2, 1, 8], 11],
    ['few', [1, 4], [4, 8], 12],
    ['the same all day', [2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2], 4],
  ])('of two datasets count once only if their readings are not by chance alike: %s', (_, first, second, peak) => {
    const readings = (levels: number[], hour: number) =>
      counters(
        levels.map((level, n) => [7, `${String(hour + n).padStart(2, '0')}:00`, level, -1, -1]),
        [[7, floor1]],
      )
    const { figures } = measure([readings(first, 8), readings(second, first === second ? 8 : 9)])
    const levels = Object.values(hoursOf(figures.hourlyPeak, floor1))
    expect(levels.at(-1)).toBe(peak)
  })

  it('are added up where several of them count a level in one space', () => {
    const { figures } = measure([
      counters(
        [
          [7, '09:00', 3, -1, -1],
          [8, '09:00', 4, -1, -1],
        ],
        [
          [7, floor1],
          [8, floor1],
        ],
      ),
    ])
    expect(hoursOf(figures.hourlyPeak, floor1)[9]).toBe(7)
  })

  it('of a building come before those of its floors, and both reach the site once', () => {
    const rows: [number, string, number, number, number][] = [
      [7, '09:00', 30, -1, -1],
      [8, '09:00', 10, -1, -1],
      [9, '09:00', 15, -1, -1],
    ]
    const { figures } = measure([
      counters(rows, [
        [7, building],
        [8, floor1],
        [9, floor2],
      ]),
    ])
    expect([site, building, floor1, floor2].map((space) => hoursOf(figures.hourlyPeak, space)[9])).toEqual([
      30, 30, 10, 15,
    ])
  })

  it('cover a space whose parts are all covered, and add up in it', () => {
    const both = measure([
      counters(
        [
          [8, '09:00', 10, -1, -1],
          [9, '09:30', 15, -1, -1],
        ],
        [
          [8, floor1],
          [9, floor2],
        ],
      ),
    ]).figures
    expect([...both.isCovered]).toEqual([1, 1, 1, 1, 0])
    expect(hoursOf(both.hourlyPeak, building)[9]).toBe(25)
    const one = measure([counters([[8, '09:00', 10, -1, -1]], [[8, floor1]])]).figures
    expect([...one.isCovered]).toEqual([0, 0, 1, 0, 0])
  })

  it('of a room do not cover its floor, nor what the floor is a part of', () => {
    const rows: [number, string, number, number, number][] = [
      [8, '09:00', 4, -1, -1],
      [9, '09:00', 15, -1, -1],
    ]
    const facts = counters(rows, [
      [8, room],
      [9, floor2],
    ])
    expect([...measure([facts]).figures.isCovered]).toEqual([0, 0, 0, 1, 1])
  })

  it('are not needed in a space that holds no one', () => {
    const facts = counters([[9, '09:00', 15, -1, -1]], [[9, floor2]])
    const isCovered = (isEmpty: Uint8Array) => [
      ...measureCounts([facts], { ...places(), isEmpty }, unused).figures.isCovered,
    ]
    expect(isCovered(Uint8Array.of(0, 0, 1, 0, 0))).toEqual([1, 1, 0, 1, 0])
    expect(isCovered(new Uint8Array(5))).toEqual([0, 0, 0, 1, 0])
  })

  it('that read 0 all day while their space was in use have failed, and cover nothing', () => {
    const facts = counters(
      [
        [8, '09:00', 0, -1, -1],
        [8, '12:00', 0, -1, -1],
        [9, '09:00', 0, -1, -1],
      ],
      [
        [8, floor1],
        [9, floor2],
      ],
    )
    const { figures, failed } = measure([facts], (space) => space === floor1)
    expect(failed).toEqual([{ facts, value: 8 }])
    expect([...figures.isCovered]).toEqual([0, 0, 0, 1, 0])
  })

  it('of which one of two doors read something have not failed', () => {
    const facts = counters(
      [
        [8, '09:00', -1, 0, 0],
        [8, '12:00', -1, 1, 0],
      ],
      [[8, floor1]],
    )
    expect(measure([facts], () => true).failed).toEqual([])
  })
})

describe('levels of bookings', () => {
  const bookings = (rows: [string, string, number, number, number][]) =>
    factsOf(
      'bookings',
      rows.map(([start, end, attendees, used, cancelled]) => [
        -1,
        room,
        -1,
        at(start),
        at(end),
        attendees,
        used,
        cancelled,
      ]),
    )

  it('are the attendees, or one person, of bookings that were used or may have been', () => {
    const facts = bookings([
      ['09:00', '10:00', 6, 1, 0],
      ['09:30', '10:30', -1, -1, 0],
      ['09:00', '12:00', 8, 0, 0],
      ['09:00', '12:00', 9, 1, 1],
    ])
    const { hourlyPeak, hourlyAverage, isCovered } = measureBookings([facts], places())
    expect(hoursOf(hourlyPeak, room)).toEqual({ 9: 7, 10: 1 })
    expect(hoursOf(hourlyAverage, building)).toEqual({ 9: 6.5, 10: 0.5 })
    expect([...isCovered]).toEqual([1, 1, 1, 0, 1])
  })
})
