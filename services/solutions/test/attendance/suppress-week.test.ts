import { describe, expect, it } from '@jest/globals'
import { countDay, type DayOfWeek } from '../../src/attendance/counting/count-day.ts'
import type { MappedFacts, Places } from '../../src/attendance/counting/measures.ts'
import { suppressWeek } from '../../src/attendance/counting/suppress-week.ts'
import type { SpaceNode } from '../../src/store/spaces.ts'
import { buildTree, type Tree } from '../../src/workplace/tree.ts'
import { at, badges, building, entry, exit, factsOf, floor1, floor2, list, places, room, site } from './made-facts.ts'

const rule = { threshold: 5 }
const noValues = { externalId: null, capacity: null, currency: null, timezone: null, country: null, subdivision: null }
const treeOf = ({ parents }: Places): Tree<SpaceNode> => {
  const nodes = Array.from(
    parents,
    (parent, position): SpaceNode => ({
      id: `spc_${position}`,
      parentId: parent < 0 ? null : `spc_${parent}`,
      name: '',
      kind: 'floor',
      ...noValues,
      openingHours: null,
    }),
  )
  return { nodes, parents, positions: new Map(nodes.map(({ id }, position) => [id, position])) }
}

/** Counts one day and decides what is withheld. */
function suppressDay(
  facts: { badge_events?: MappedFacts[]; attendance_days?: MappedFacts[]; counts?: MappedFacts[] },
  around = places(),
) {
  const figures = countDay({
    day: 20_000,
    places: around,
    teamParents: new Int32Array(0),
    statedHeadcounts: [],
    homeOf: new Int32Array(0),
    people: [],
    facts: { badge_events: [], attendance_days: [], bookings: [], counts: [], ...facts },
  })
  const day: DayOfWeek = { ...figures, day: 20_000, openHours: [], readers: [] }
  const week = {
    spaces: figures.spaces.map(({ attendance }) => attendance ?? 0),
    teams: [],
    total: figures.people.size,
  }
  const suppressed = suppressWeek({ spaces: treeOf(around), teams: buildTree([]) }, [day], week, rule)
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

  it('withholds the hours of a site of which people come from lists, and shows those of others', () => {
    const otherSite = 5
    const two = {
      ...places(),
      parents: Int32Array.of(...places().parents, -1),
      opens: new Int32Array(6).fill(at('08:00')),
      closes: new Int32Array(6).fill(at('18:00')),
      isDivided: Uint8Array.of(...places().isDivided, 0),
      isEmpty: new Uint8Array(6),
    }
    const badged = [badges([...crowd(0, 20, floor1), ...crowd(200, 9, otherSite)])]
    const attendance_days = [list(people)]
    const both = suppressDay({ badge_events: badged, attendance_days }, two)
    expect(both.hidden).toEqual([])
    expect([floor1, site].map((space) => hoursOfBits(both.suppressed.hours(0, space)).length)).toEqual([24, 24])
    expect(both.suppressed.hours(0, otherSite)).toBe(0)
    const few = [badges([...crowd(0, 20, floor1), ...crowd(200, 3, otherSite)])]
    const { suppressed } = suppressDay({ badge_events: few, attendance_days }, two)
    expect([suppressed.spaces(0, otherSite), hoursOfBits(suppressed.hours(0, otherSite))]).toEqual([true, [9, 10]])
  })

  const people = Array.from({ length: 9 }, (_, person): [number, number] => [100 + person, floor2])
  it('withholds all hours of a day on which people come from lists', () => {
    const { hidden, suppressed } = suppressDay({
      badge_events: [badges(crowd(0, 20, floor1))],
      attendance_days: [list(people)],
    })
    expect(hidden).toEqual([])
    expect(hoursOfBits(suppressed.hours(0, floor1))).toHaveLength(24)
  })

  const counters = (rows: [number, string, number][]) =>
    factsOf(
      'counts',
      rows.map(([space, time, level]) => [-1, space, -1, at(time), level, -1, -1]),
    )
  const levelsOf = ({ suppressed }: ReturnType<typeof suppressDay>, space: number) =>
    hoursOfBits(suppressed.levels(0, space))

  it('withholds small levels of counters, but not empty hours', () => {
    const day = suppressDay({
      counts: [
        counters([
          [floor1, '08:00', 4],
          [floor1, '09:00', 5],
          [floor1, '10:00', 0],
          [floor1, '11:00', 1],
          [floor1, '12:00', 0],
        ]),
      ],
    })
    expect(day.hidden).toEqual([])
    expect(levelsOf(day, floor1)).toEqual([8, 11])
    // No one is known by hour.
    expect(hoursOfBits(day.suppressed.hours(0, floor1))).toEqual([])
  })

  it('withholds a level of counters that would tell a small one beside it', () => {
    const day = suppressDay({
      counts: [
        counters([
          [floor1, '09:00', 12],
          [floor2, '09:00', 2],
          [floor2, '10:00', 20],
        ]),
      ],
    })
    // 14 in the building less 12 on the first floor are 2 on the second.
    expect([building, floor1, floor2].map((space) => levelsOf(day, space))).toEqual([[], [9], [9]])
  })

  it('withholds the small level of a counter where badges see no one, and a level where they see few', () => {
    const small = suppressDay({
      badge_events: [badges(crowd(0, 20, floor2), [floor1])],
      counts: [
        counters([
          [floor1, '09:00', 3],
          [floor1, '11:00', 0],
        ]),
      ],
    })
    expect(levelsOf(small, floor1)).toEqual([9, 10])
    const few = suppressDay({
      badge_events: [badges([...crowd(0, 20, floor2), ...crowd(50, 20, floor1), ...crowd(90, 2, room)])],
      counts: [
        counters([
          [room, '09:00', 6],
          [room, '11:00', 0],
        ]),
      ],
    })
    expect(levelsOf(few, room)).toEqual(expect.arrayContaining([9, 10]))
  })

  it('withholds the level of badges that would tell that of few people', () => {
    // Six people pass the first floor; two stay on the second for the hour. Both are hidden, which are 2 and a bit.
    const pass = Array.from({ length: 6 }, (_, nth): [number, number, string, number][] => [
      [nth, floor1, '09:00', entry],
      [nth, floor1, '09:01', exit],
    ]).flat()
    const day = suppressDay({ badge_events: [badges([...pass, ...crowd(50, 2, floor2)])] })
    expect([building, floor2].map((space) => levelsOf(day, space).includes(9))).toEqual([true, true])
  })
})
