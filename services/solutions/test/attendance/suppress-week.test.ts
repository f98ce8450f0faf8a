import { describe, expect, it } from '@jest/globals'
import { countDay, type DayOfWeek } from '../../src/attendance/counting/count-day.ts'
import type { MappedFacts } from '../../src/attendance/counting/measures.ts'
import { suppressWeek } from '../../src/attendance/counting/suppress-week.ts'
import type { SpaceNode } from '../../src/store/spaces.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { at, badges, building, entry, exit, factsOf, floor1, floor2, list, places, room, site } from './made-facts.ts'

const rule = { threshold: 5 }
const noValues = { externalId: null, capacity: null, currency: null, timezone: null, country: null, subdivision: null }
const { parents } = places()
const spaces = buildTree(
  Array.from(
    parents,
    (parent, position): SpaceNode => ({
      ...{ id: `spc_${position}`, parentId: parent < 0 ? null : `spc_${parent}`, name: '', kind: 'floor' },
      ...{ ...noValues, openingHours: null },
    }),
  ),
)

/** Counts one day and decides what is withheld. */
function suppressDay(facts: { badge_events?: MappedFacts[]; attendance_days?: MappedFacts[]; counts?: MappedFacts[] }) {
  const figures = countDay({
    ...{ day: 20_000, places: places(), teamParents: new Int32Array(0), statedHeadcounts: [] },
    ...{ homeOf: new Int32Array(0), people: [] },
    facts: { badge_events: [], attendance_days: [], bookings: [], counts: [], ...facts },
  })
  const day: DayOfWeek = { ...figures, day: 20_000, openHours: [], readers: [] }
  const week = {
    spaces: figures.spaces.map(({ attendance }) => attendance ?? 0),
    teams: [],
    total: figures.people.size,
  }
  const suppressed = suppressWeek({ spaces, teams: buildTree([]) }, [day], week, rule)
  return {
    suppressed,
    figures,
    hidden: [site, building, floor1, floor2, room].filter((space) => suppressed.spaces(0, space)),
  }
}

/** Returns people with numbers from one on who come to a space at 09:00 and leave at 11:00. */
const crowd = (first: number, size: number, space: number): [number, number, string, number][] =>
  Array.from({ length: size }, (_, nth) => [
    [first + nth, space, '09:00', entry] as [number, number, string, number],
    [first + nth, space, '10:59', exit] as [number, number, string, number],
  ]).flat()

const hoursOfBits = (bits: number) =>
  Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => (bits & (1 << hour)) !== 0)

describe('suppressWeek', () => {
  it('withholds nothing where every space has enough people, or none', () => {
    const { hidden, suppressed } = suppressDay({
      badge_events: [badges([...crowd(0, 20, floor1), ...crowd(50, 6, floor2)])],
    })
    expect(hidden).toEqual([])
    expect([floor1, floor2].map((space) => suppressed.hours(0, space))).toEqual([0, 0])
    expect(suppressed.weekSpaces(floor2)).toBe(false)
  })

  it('withholds a tiny floor on the day, in the week and by hour, and another figure that would tell it', () => {
    const { hidden, suppressed } = suppressDay({
      badge_events: [badges([...crowd(0, 20, floor1), ...crowd(50, 2, floor2)])],
    })
    expect(hidden).toContain(floor2)
    // 22 in the building less 20 on the first floor are 2 on the second.
    expect(hidden.includes(floor1) || hidden.includes(building)).toBe(true)
    expect(suppressed.weekSpaces(floor2)).toBe(true)
    expect(suppressed.weekSpaces(floor1) || suppressed.weekSpaces(building)).toBe(true)
    expect(hoursOfBits(suppressed.hours(0, floor2))).toEqual([9, 10])
    for (const hour of [9, 10])
      expect([floor1, building].some((space) => hoursOfBits(suppressed.hours(0, space)).includes(hour))).toBe(true)
  })

  it('withholds only the hours with few people on a day that is shown', () => {
    const late: [number, number, string, number][] = [
      [0, floor1, '14:00', entry],
      [0, floor1, '14:30', exit],
    ]
    const { hidden, suppressed } = suppressDay({ badge_events: [badges([...crowd(0, 20, floor1), ...late], [floor2])] })
    expect(hidden).toEqual([])
    expect(hoursOfBits(suppressed.hours(0, floor1))).toEqual([14])
    expect(hoursOfBits(suppressed.hours(0, building))).toEqual([14])
  })

  it('withholds all hours of a day on which people come from lists', () => {
    const people = Array.from({ length: 9 }, (_, person): [number, number] => [100 + person, floor2])
    const { hidden, suppressed } = suppressDay({
      badge_events: [badges(crowd(0, 20, floor1))],
      attendance_days: [list(people)],
    })
    expect(hidden).toEqual([])
    expect(hoursOfBits(suppressed.hours(0, floor1))).toHaveLength(24)
  })

  it('withholds small levels of counters, but not empty hours', () => {
    const levels = [
      [8, 4],
      [9, 5],
      [10, 0],
      [11, 1],
      [12, 0],
    ]
    const counts = factsOf(
      'counts',
      levels.map(([hour = 0, level = 0]) => [-1, floor1, -1, hour * 60, level, -1, -1]),
    )
    const { hidden, suppressed } = suppressDay({ counts: [counts] })
    expect(hidden).toEqual([])
    expect(hoursOfBits(suppressed.hours(0, floor1))).toEqual([8, 11])
    expect(at('11:00')).toBe(660)
  })
})
