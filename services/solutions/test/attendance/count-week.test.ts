import { describe, expect, it } from '@jest/globals'
import { countWeek } from '../../src/attendance/counting/count-week.ts'
import { blankUse, type FactTable, type factColumns } from '../../src/attendance/counting/facts.ts'
import type { MappedDataset } from '../../src/attendance/counting/measures.ts'
import { noMeaning, type UseMeaning } from '../../src/store/datasets.ts'
import { dateOf, dayOf } from '../../src/workplace/local-days.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { badges, building, entry, exit, factsOf, floor1, floor2, hoursOf, site, unknown } from './made-facts.ts'

const monday = dayOf('2026-03-02')
const days = Array.from({ length: 7 }, (_, at) => monday + at)
const noValues = { externalId: null, capacity: null, currency: null, timezone: null, country: null, subdivision: null }
const none = -1
/** Returns spaces of the given kinds, by their positions in `places`. */
const spacesOf = (kinds: readonly string[]) =>
  buildTree(
    kinds.map((kind, at) => ({
      id: `spc_${at}`,
      parentId: at === 0 ? null : `spc_${Math.min(at - 1, building)}`,
      name: kind,
      kind,
      openingHours: null,
      ...noValues,
    })),
  )
const teamsOf = (size: number) =>
  buildTree(
    Array.from({ length: size }, (_, at) => ({
      id: `team_${at}`,
      parentId: null,
      externalId: null,
      name: 'Team',
      headcount: null,
      homeSpaceId: null,
    })),
  )

const mapped = (id: string, kind: keyof typeof factColumns, since: number, until: number): MappedDataset => ({
  dataset: { id, kind },
  range: { first: monday + since, last: monday + until },
  spaceOf: new Map([[site, site]]),
  teamOf: new Map(),
  uses: noMeaning,
})

function count(
  datasets: MappedDataset[],
  facts: Map<string, Map<number, FactTable>>,
  { places, teams }: { places: string[]; teams: number } = { places: ['site'], teams: 0 },
) {
  const context = { spaces: spacesOf(places), teams: teamsOf(teams), datasets, openingHours: [{}] }
  return countWeek({ ...context, homeOf: new Int32Array(teams).fill(none) }, facts, days, { threshold: 5 })
}

describe('countWeek', () => {
  it('has no one on days between swipes or bookings, and nothing on days before the first and after the last', () => {
    const swipes = badges(Array.from({ length: 9 }, (_, person) => [person, site, '09:00', entry])).table
    const booking = factsOf('bookings', [[1, site, -1, 540, 600, 6, -1, 0]]).table
    const facts = new Map([
      ['ds_badges', new Map([monday + 1, monday + 3].map((day) => [day, swipes]))],
      ['ds_bookings', new Map(days.filter((day) => day !== monday + 5).map((day) => [day, booking]))],
    ])
    const week = count([mapped('ds_badges', 'badge_events', 1, 3), mapped('ds_bookings', 'bookings', 0, 6)], facts)
    expect(week.days.map((day) => day.spaces[site]?.attendance)).toEqual([null, 9, 0, 9, null, null, null])
    expect(week.days.map((day) => day.spaces[site]?.source)).toEqual([
      'bookings',
      ...['badge_events', 'badge_events', 'badge_events'],
      ...['bookings', 'bookings', 'bookings'],
    ])
    // On days without swipes it is not known if the person of the booking came.
    expect(week.days.map((day) => day.bookings.get(site)?.unknown)).toEqual([1, 0, 0, 0, 1, undefined, 1])
    expect(week.spaces).toEqual([{ attendance: 9, isSuppressed: false }])
  })

  it.each([
    [0, { unknown: 0, noShows: 5 }],
    [100, { unknown: 6, noShows: 0 }],
  ])('knows no use of bookings when their file names other people, from %i', (first, expected) => {
    const rows = Array.from({ length: 6 }, (_, at) => [first + at, site, -1, 540, 600, -1, -1, 0])
    const tables = {
      badge_events: badges([[0, site, '09:00', entry]]).table,
      bookings: factsOf('bookings', rows).table,
    }
    const facts = new Map(Object.entries(tables).map(([kind, table]) => [kind, new Map([[monday, table]])]))
    const datasets = (['badge_events', 'bookings'] as const).map((kind) => mapped(kind, kind, 0, 0))
    expect(count(datasets, facts).days[0]?.bookings.get(site)).toMatchObject(expected)
  })

  it.each([
    [0, 'noShows'],
    [1, 'used'],
  ] as const)('counts a blank as the use %i on the days on which it has this meaning', (use, figure) => {
    const { table } = factsOf('bookings', [[1, site, -1, 540, 600, -1, blankUse, 0]])
    const known = { unmarkedUse: use, first: dateOf(monday + 1), last: dateOf(monday + 2), coversBlanks: true }
    const facts = new Map([['ds', new Map(days.map((day) => [day, table]))]])
    const week = count([{ ...mapped('ds', 'bookings', 0, 6), uses: { ...noMeaning, ...known } }], facts)
    expect(week.days.map(({ bookings }) => bookings.get(site)?.[figure])).toEqual([0, 1, 1, 0, 0, 0, 0])
    expect(week.days.map(({ bookings }) => bookings.get(site)?.unknown)).toEqual([1, 0, 0, 1, 1, 1, 1])
  })

  it('counts no no-shows ahead of the last day that is known, nor in spaces whose bookings no one marks', () => {
    const { table } = factsOf('bookings', [[1, site, -1, 540, 600, -1, 0, 0]])
    const facts = new Map([['ds', new Map(days.map((day) => [day, table]))]])
    const noShows = (unmarkedSpaces: number[]) => {
      const last = dateOf(monday + 1)
      const uses: UseMeaning = { ...noMeaning, unmarkedUse: 0, first: dateOf(monday), last, unmarkedSpaces }
      const week = count([{ ...mapped('ds', 'bookings', 0, 6), uses }], facts)
      return week.days.map(({ bookings }) => bookings.get(site)?.noShows)
    }
    expect(noShows([])).toEqual([1, 1, 0, 0, 0, 0, 0])
    expect(noShows([site])).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  type Swipes = [time: string, direction: number][]
  const hours = (from: number, until: number) => Array.from({ length: until - from }, (_, at) => from + at)

  it.each<[string, Swipes, Swipes, number[]]>([
    ['leaves in the morning', [['22:00', entry]], [['06:00', exit]], hours(-2, 6)],
    ['works 12 hours', [['18:00', entry]], [['06:30', exit]], hours(-6, 7)],
    [
      'returns from a break at night',
      [['22:00', entry]],
      [
        ['02:00', exit],
        ['03:00', entry],
        ['05:00', exit],
      ],
      [...hours(-2, 2), 3, 4],
    ],
    [
      'comes in again by another door',
      [['22:00', entry]],
      [
        ['01:00', entry],
        ['04:00', exit],
      ],
      hours(-2, 4),
    ],
    [
      'forgot to swipe out and comes the next morning',
      [['19:00', entry]],
      [
        ['07:00', entry],
        ['08:30', exit],
      ],
      [-5, 7, 8],
    ],
    ['leaves after more than 14 hours', [['17:00', entry]], [['08:00', exit]], hours(-7, -4)],
    [
      'left in the evening',
      [
        ['17:00', entry],
        ['17:30', exit],
      ],
      [['05:00', exit]],
      [-7],
    ],
    ['swipes without directions', [['22:00', unknown]], [['06:00', unknown]], hours(6, 20)],
  ])('counts the hours around midnight of a person who %s', (_, before, after, expected) => {
    const swipes = (own: Swipes) =>
      badges(
        Array.from({ length: 9 }, (__, person) =>
          own.map(([time, direction]): [number, number, string, number] => [person, site, time, direction]),
        ).flat(),
      ).table
    // In the week, and over each of its ends.
    for (const first of [-1, 2, 6]) {
      const dated = new Map([
        [monday + first, swipes(before)],
        [monday + first + 1, swipes(after)],
      ])
      const week = count([mapped('ds_badges', 'badge_events', first, first + 1)], new Map([['ds_badges', dated]]))
      const seen = [first, first + 1].flatMap((day) =>
        Object.keys(hoursOf(week.days[day]?.spaces[site]?.hourlyAverage ?? [], site)).map(
          (hour) => Number(hour) + (day - first - 1) * 24,
        ),
      )
      expect(seen).toEqual(expected.filter((hour) => week.days[first + (hour < 0 ? 0 : 1)] !== undefined))
    }
  })

  it.each<[string, { team: number[]; others?: number[] }, number]>([
    ['most come to one floor', { team: [9, 5] }, floor1],
    ['there is no floor to which most come', { team: [7, 7], others: [6, 0] }, building],
    ['fewer of them than the threshold come there', { team: [4, 0], others: [9, 9] }, none],
    ['fewer others than the threshold come there', { team: [9, 0], others: [2, 9] }, building],
    ['fewer of them than the threshold come elsewhere', { team: [9, 1], others: [9, 9] }, building],
  ])('tells the usual space of a team if %s', (_, { team, others = [0, 0] }, expected) => {
    const people = (first: number, [one = 0, two = 0]: number[]) =>
      Array.from({ length: one + two }, (__, at): [number, number, string, number] => [
        ...([first + at, at < one ? floor1 : floor2, '09:00', entry] as const),
      ])
    const own = { ...mapped('ds_people', 'people', 0, 6), teamOf: new Map([[0, 0]]) }
    const readers = new Map([floor1, floor2].map((floor) => [floor, floor]))
    const swipes = badges([...people(0, team), ...people(100, others)]).table
    const members = people(0, team).map(([person]) => [person, -1, 0, -1, -1])
    const week = count(
      [own, { ...mapped('ds_badges', 'badge_events', 0, 1), spaceOf: readers }],
      new Map([
        ['ds_people', new Map([[0, factsOf('people', members).table]])],
        ['ds_badges', new Map([monday, monday + 1].map((day) => [day, swipes]))],
      ]),
      { places: ['site', 'building', 'floor', 'floor'], teams: 1 },
    )
    expect([...week.usualSpaces]).toEqual([expected])
  })
})
