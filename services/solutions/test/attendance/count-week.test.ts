import { describe, expect, it } from '@jest/globals'
import { countWeek } from '../../src/attendance/counting/count-week.ts'
import type { FactTable, factColumns } from '../../src/attendance/counting/facts.ts'
import type { MappedDataset } from '../../src/attendance/counting/measures.ts'
import { dayOf } from '../../src/workplace/local-days.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { badges, entry, exit, factsOf, hoursOf, site, unknown } from './made-facts.ts'

const monday = dayOf('2026-03-02')
const days = Array.from({ length: 7 }, (_, at) => monday + at)
const noValues = { externalId: null, capacity: null, currency: null, timezone: null, country: null, subdivision: null }
const spaces = buildTree([{ id: 'spc_a', parentId: null, name: 'Site', kind: 'site', openingHours: null, ...noValues }])

const mapped = (id: string, kind: keyof typeof factColumns, since: number, until: number): MappedDataset => ({
  dataset: { id, kind },
  range: { first: monday + since, last: monday + until },
  spaceOf: new Map([[site, site]]),
  teamOf: new Map(),
})

function count(datasets: MappedDataset[], facts: Map<string, Map<number, FactTable>>) {
  const context = { spaces, teams: buildTree([]), datasets, openingHours: [{}], homeOf: new Int32Array(0) }
  return countWeek(context, facts, days, { threshold: 5 })
}

describe('countWeek', () => {
  it('has no one on days between swipes, and nothing on days before the first and after the last', () => {
    const swipes = badges(Array.from({ length: 9 }, (_, person) => [person, site, '09:00', entry])).table
    const booking = factsOf('bookings', [[1, site, -1, 540, 600, 6, -1, 0]]).table
    const facts = new Map([
      ['ds_badges', new Map([monday + 1, monday + 3].map((day) => [day, swipes]))],
      ['ds_bookings', new Map(days.map((day) => [day, booking]))],
    ])
    const week = count([mapped('ds_badges', 'badge_events', 1, 3), mapped('ds_bookings', 'bookings', 0, 6)], facts)
    expect(week.days.map((day) => day.spaces[site]?.attendance)).toEqual([null, 9, 0, 9, null, null, null])
    expect(week.days.map((day) => day.spaces[site]?.source)).toEqual([
      'bookings',
      ...['badge_events', 'badge_events', 'badge_events'],
      ...['bookings', 'bookings', 'bookings'],
    ])
    // On days without swipes it is not known if the person of the booking came.
    expect(week.days.map((day) => day.bookings.get(site)?.unknown)).toEqual([1, 0, 0, 0, 1, 1, 1])
    expect(week.spaces).toEqual([{ attendance: 9, isSuppressed: false }])
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
})
