import { describe, expect, it } from '@jest/globals'
import { historyEnd } from '../../src/runs/workplace/history-end.ts'
import { leaveOut } from '../../src/runs/workplace/leave-out.ts'
import { bookingCovariate, planHierarchy } from '../../src/runs/workplace/plan-hierarchy.ts'
import { fillClosedDays } from '../../src/runs/workplace/read-workplace.ts'
import { unknownHolidayWarnings } from '../../src/workplace/missing-country.ts'
import { spaceNode } from '../fixture/space-node.ts'

const full = Array.from({ length: 100 }, () => 7)
const node = (id: string, parentId: string | null, size: number | null, values: (number | null)[] = full) => ({
  id,
  parentId,
  size,
  values,
})
const options = { threshold: 5, requiredDays: 91, isTeam: true }
const reasons = (nodes: Parameters<typeof leaveOut>[0], more: object = {}) =>
  Object.fromEntries([...leaveOut(nodes, { ...options, ...more })].map(([id, { reason }]) => [id, reason]))

it('leaves out those below the threshold, with too little history, and without any', () => {
  const short = [...Array.from({ length: 50 }, () => null), ...Array.from({ length: 50 }, () => 9)]
  const opened = short.map((value) => value ?? 0)
  const sparse = full.map((value, day) => (day % 4 === 0 ? value : null))
  const nodes = [
    ...[node('root', null, 90), node('a', 'root', 30), node('b', 'root', 30, short), node('c', 'root', 20, sparse)],
    ...[node('d', 'root', 4), node('e', 'root', null, []), node('f', 'd', 4), node('g', 'root', 30, opened)],
  ]
  const tooShort = { b: 'too_short', c: 'too_short', g: 'too_short' }
  expect(reasons(nodes)).toEqual({ ...tooShort, d: 'privacy', e: 'no_data', f: 'privacy' })
})

it('leaves out the smallest of the others, with what is in it, where the rest would tell about too few', () => {
  const nodes = [
    ...[node('root', null, 60), node('tiny', 'root', 3), node('small', 'root', 20), node('large', 'root', 37)],
    node('part', 'small', 20),
  ]
  expect(reasons(nodes)).toEqual({ tiny: 'privacy', small: 'privacy', part: 'privacy' })
})

const plan = (pendingWeeks: number, nodes: ReturnType<typeof node>[], horizon = 60) =>
  planHierarchy(
    {
      first: '2026-06-01',
      last: '2026-06-14',
      isTeam: false,
      threshold: 5,
      warnings: [],
      historyWarnings: [],
      pendingWeeks,
      nodes: nodes.map((one) => ({ name: 'Berlin', place: [], bookings: [], isOfOtherMeasure: false, ...one })),
    },
    new Map(),
    { horizon, levels: [0.8] },
  )

it('says that weeks are still being counted where too few days are', () => {
  const nodes = [node('a', null, 30, full.slice(0, 14))]
  expect(() => plan(0, nodes)).toThrow('Too short: Berlin (14)')
  expect(() => plan(0, [...nodes, node('b', 'a', 20, full.slice(0, 12))])).toThrow('Berlin (14), Berlin (12)')
  expect(() => plan(3, nodes)).toThrow('3 are still being counted')
})

it('says what can be forecast instead when nothing tells who came', () => {
  expect(() => plan(0, [node('a', null, null, [])], 7)).toThrow(
    'tell who came. Where people counters or bookings do, forecast the people present.',
  )
})

describe('the last day of a history', () => {
  const dataset = (name: string, last: string, rows: Record<string, number>, kind = 'badge_events') => ({
    name,
    kind,
    last,
    rows: new Map(Object.entries(rows)),
  })
  const october = dataset('Until October', '2026-10-30', { door: 900, floor: 400, side: 5 })
  const end = (datasets: ReturnType<typeof dataset>[], measure: 'attendance' | 'peak' = 'attendance') =>
    historyEnd(datasets, { measure, yesterday: '2026-11-29', nameOf: (id) => id })

  it('is that of the next file of the same readers, but for one that is hardly used', () => {
    const november = dataset('November', '2026-11-27', { door: 800, floor: 300 })
    expect(end([october, november])).toMatchObject({ last: '2026-11-27', warnings: [] })
    expect(end([october, dataset('Ahead', '2026-12-24', { door: 1, floor: 1 })]).last).toBe('2026-11-29')
  })

  it('is that of a file with which none goes on, and says so, when it ended lately', () => {
    const { last, warnings } = end([october, dataset('Doors', '2026-11-27', { door: 800 })])
    expect(last).toBe('2026-10-30')
    const [floors] = warnings
    expect(floors).toMatch(/"Until October" ended on 2026-10-30, and so does the history: no later file measures floor/)
    expect(end([october, dataset('Doors', '2026-11-01', { door: 800 })])).toMatchObject({
      last: '2026-10-30',
      warnings: [],
    })
    const retired = end([october, dataset('Doors', '2026-11-29', { door: 800 })])
    expect(retired).toMatchObject({
      last: '2026-11-29',
      warnings: [expect.stringContaining('measures floor and side: later days')],
    })
    expect([...retired.retired]).toEqual(['floor', 'side'].map((space) => [space, '2026-10-30']))
  })

  it('is that of people counters when the people present are forecast', () => {
    const counters = dataset('Counters', '2026-11-26', { door: 9_000, floor: 9_000 }, 'counts')
    expect(end([october, counters]).last).toBe('2026-10-30')
    expect(end([october, counters], 'peak')).toMatchObject({ last: '2026-11-26', warnings: [] })
  })
})

it('refuses more spaces than are forecast at once', () => {
  const nodes = Array.from({ length: 2_001 }, (_, at) => node(`${at}`, null, 30))
  expect(plan(0, nodes.slice(1), 7).input.nodes).toHaveLength(2_000)
  expect(() => plan(0, nodes, 7)).toThrow('forecasts 2000 series, and not 2001: ask for a part of them')
})

it('names the space, its value and the day when that is too large to be forecast', () => {
  const nodes = [node('a', null, 30, full.with(3, 4_000_001))]
  expect(() => plan(0, nodes, 7)).toThrow('"Berlin" has 4000001 people on 2026-06-04, and a forecast takes 4000000')
})

it('counts the members of a team outside of the teams in it, but no visitors of several spaces', () => {
  const nodes = [node('root', null, 40), node('a', 'root', 20), node('b', 'root', 17)]
  expect(reasons(nodes)).toEqual({ b: 'privacy' })
  expect(reasons(nodes, { isTeam: false })).toEqual({})
})

it('uses bookings for as many weeks ahead as are booked as usual', () => {
  const week = [10, 12, 12, 11, 5, 0, 0]
  const history = Array.from({ length: 70 }, (_, day) => week[day % 7] ?? 0)
  const options = { since: '2025-01-06', length: 70, horizon: 28 }
  const ahead = [...week, ...week, ...week.map((booked) => booked / 2), ...week]
  const covariate = bookingCovariate([...history, ...ahead], options)
  expect(covariate).toMatchObject({ since: '2025-01-06', daysAhead: 14 })
  expect(covariate?.values).toHaveLength(98)
  expect(bookingCovariate([...history, ...ahead.map(() => 0)], options)).toBeUndefined()
  expect(bookingCovariate([], options)).toBeUndefined()
})

describe('fillClosedDays', () => {
  // From a Friday on: no reading before the Monday, and none on the Sunday or the second Saturday.
  const values = [null, null, null, 5, 6, 7, 8, 9, null, null, 4]
  const site = (openingHours: object | null) => [
    spaceNode('site', 'site', null, { openingHours: openingHours as never }),
  ]

  it('has no one on weekdays that are closed and never counted', () => {
    const filled = [null, null, null, 5, 6, 7, 8, 9, 0, 0, 4]
    expect(fillClosedDays(values, site(null), '2026-03-06')).toEqual(filled)
  })

  it('leaves gaps of days that are open, or on which some came', () => {
    const hours = { from: '08:00', to: '18:00' }
    const daily = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, hours]))
    expect(fillClosedDays(values, site(daily), '2026-03-06')).toEqual(values)
    const saturday = values.with(8, 2)
    expect(fillClosedDays([...saturday, null, null, null, null, null], site(null), '2026-03-06').slice(8)).toEqual([
      2,
      0,
      4,
      ...Array(4).fill(null),
      null,
    ])
  })
})

it('names the sites without a country, with the one that their time zone suggests, and teams without a home', () => {
  const of = (name: string, ...place: ReturnType<typeof spaceNode>[]) => ({ id: name, parentId: null, name, place })
  const delhi = spaceNode('delhi', 'site', null, { timezone: 'Asia/Kolkata', country: null })
  const geneva = spaceNode('geneva', 'site', null, { timezone: 'Europe/Zurich', country: null })
  const utc = spaceNode('utc', 'site', null, { timezone: 'UTC', country: null })
  const vienna = spaceNode('vienna', 'site', null, { timezone: 'Europe/Vienna', country: 'AT' })
  expect(unknownHolidayWarnings([of('A', delhi), of('B', vienna)])).toEqual([
    expect.stringContaining('No country is stated for delhi (Asia/Kolkata suggests IN): public holidays'),
  ])
  expect(unknownHolidayWarnings([of('A', geneva), of('B', utc)])).toEqual([
    expect.stringContaining('for geneva (Europe/Zurich suggests CH) and utc: public holidays'),
  ])
  expect(unknownHolidayWarnings([of('B', vienna), of('Sales')])).toEqual([expect.stringContaining('Where Sales sit')])
})
