import { describe, expect, it } from '@jest/globals'
import {
  byName,
  describeGaps,
  describeLeftOut,
  describeList,
  describeSpaces,
  describeUse,
  levelsOf,
  nameInPlace,
  pageByName,
  type Space,
  type SpaceKind,
  type UtilizationRow,
} from '../../../web/src/workplace/buildings/space-words.ts'
import { describeTeam } from '../../../web/src/workplace/buildings/team-figures/team-words.ts'
import { floorPeopleText } from '../../../web/src/workplace/plans/plan-words.ts'

const row = (more: Partial<UtilizationRow>): UtilizationRow => ({
  attendance: null,
  average: null,
  peak: null,
  p90: null,
  capacity: 200,
  share: null,
  headcount: null,
  sharing_ratio: null,
  co_attendance: null,
  source: null,
  attendance_source: null,
  coverage: 1,
  suppressed: false,
  ...more,
})

it('orders floors from the lowest up, and others by name and number', () => {
  const names = ['Floor 10', '1. OG', 'EG', 'Floor 2', '2. UG', 'Keller']
  expect(names.map((name) => ({ name })).toSorted(byName)).toEqual(
    ['2. UG', 'Keller', 'EG', '1. OG', 'Floor 2', 'Floor 10'].map((name) => ({ name })),
  )
})

describe('the levels of a chart', () => {
  it('are people at once, also of rows without times of day, when one row has them', () => {
    const rows = [row({ attendance: 40, average: 12, peak: 30 }), row({ attendance: 20 })]
    expect(levelsOf(rows)).toEqual({ levels: rows })
  })

  it('are people a day, without peaks, when no row has times of day', () => {
    const { levels, labels } = levelsOf([row({ attendance: 40, p90: 50 }), row({ suppressed: true })])
    expect(levels).toMatchObject([
      { average: 40, peak: null },
      { average: null, suppressed: true },
    ])
    expect(labels).toEqual({ average: 'People a day', capacity: 'Places' })
  })
})

describe('the name of a space', () => {
  const around = (...kinds: SpaceKind[]) => kinds.map((kind) => ({ id: kind, name: `The ${kind}`, kind }))
  it.each([
    ['floor', around('site', 'building'), 'The building / Here'],
    ['zone', around('site', 'building', 'floor'), 'The building / The floor / Here'],
    ['floor', around('site'), 'The site / Here'],
    ['building', around('site'), 'Here'],
    ['room', [], 'Here'],
  ] as const)('of a %s is its path from the building', (kind, path, expected) => {
    expect(nameInPlace({ name: 'Here', kind, path: [...path] })).toBe(expected)
  })
})

describe('the sentence of a building', () => {
  it('names the fullest hour and the weekday that stays emptiest', () => {
    const hours = [
      row({ weekday: 'tue', hour: 10, open: true, average: 130.6 }),
      row({ weekday: 'tue', hour: 11, open: true, average: 120 }),
      row({ weekday: 'fri', hour: 10, open: true, average: 63 }),
      row({ weekday: 'sat', hour: 10, open: false, average: 0 }),
    ]
    const days = [
      row({ weekday: 'tue', peak: 140 }),
      row({ weekday: 'fri', peak: 95 }),
      row({ weekday: 'sat', peak: 0 }),
    ]
    expect(describeUse(hours, days, String)).toBe(
      'Tuesdays are fullest: about 131 of 200 places at 10:00. On Fridays there were never more than 95 people.',
    )
    Object.assign(globalThis, { document: { documentElement: { dataset: { decimal: ',', group: '.' } } } })
    try {
      const many = [row({ weekday: 'tue', hour: 9, open: true, average: 1234, capacity: 2400 })]
      expect(describeUse(many, [], (time) => `${time} Uhr`)).toBe(
        'Tuesdays are fullest: about 1.234 of 2.400 places at 09:00 Uhr.',
      )
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
    const withheld = days.map((day) => ({ ...day, suppressed: true }))
    expect(describeUse(hours, withheld, String)).toMatch(
      / On Fridays there were at most 95 people on the days and hours that may be shown\.$/,
    )
  })

  it('tells people a day where there are no times, and says what is withheld', () => {
    expect(describeUse([], [row({ weekday: 'wed', attendance: 41.2 })], String)).toBe(
      'Wednesdays are busiest: about 41 people a day.',
    )
    expect(describeUse([], [row({ weekday: 'wed', suppressed: true })], String)).toMatch(/^Too few people to show/)
    expect(describeUse([], [], String)).toBe('Nothing has been measured here in this period.')
  })

  it('says what is missing from the figures', () => {
    const meta = {
      timezone: null,
      since: '',
      until: '',
      privacy_threshold: 5,
      pending_weeks: 1,
      warnings: ['A reader.'],
    }
    expect(describeGaps({ items: [row({ coverage: 0.9 })], meta })).toEqual([
      expect.stringContaining('About 10\u00a0%'),
      'A reader.',
    ])
  })
})

it('the sentence of all buildings names the fullest and the emptiest', () => {
  const spaces = ['A', 'B', 'C'].map((name) => ({ id: name, name, kind: 'building', path: [] }) as unknown as Space) // what it reads
  const rows = [row({ space_id: 'A', share: 0.4 }), row({ space_id: 'B', share: 0.62 }), row({ space_id: 'C' })]
  expect(describeSpaces(spaces, rows)).toBe(
    'B is the fullest with 62\u00a0% on average, A the emptiest with 40\u00a0%.',
  )
  expect(describeSpaces(spaces, [])).toBeUndefined()
  expect(describeList(spaces, rows, true)).toMatch(/40\u00a0%\. Of this page and the last four weeks/)
  const quiet = rows.map((one) => ({ ...one, suppressed: true }))
  expect(describeList(spaces, quiet, false)).toMatch(/Monday to Friday, without hours that are withheld\.$/)
  const around = { ...spaces[2], id: 'D', name: 'Site', kind: 'site' } as Space // what it reads
  const tree = [around, ...spaces.map((space) => ({ ...space, parent_id: 'D' }))]
  const sitesAt = (share: number) => describeList(tree, [...rows, row({ space_id: 'D', share })], false)
  expect(sitesAt(0.5)).toMatch(/Friday\.$/)
  expect(sitesAt(0.3)).toMatch(
    / \u2068?Site\u2069? is not between the places in it: each average is of the place’s own opening hours\.$/,
  )
  const others = ['E', 'F', 'G'].map((id, at) => ({ ...around, id, name: id, parent_id: ['F', 'G', null][at] ?? null }))
  const shares = [0.3, 0.2, 0.1].map((share, at) => row({ space_id: 'EFG'[at] ?? '', share, suppressed: true }))
  expect(describeList([...tree, ...others], [...rows, ...shares, row({ space_id: 'D', share: 0.3 })], false)).toMatch(
    / Site, F and 1 more are not between the places in them: .* own opening hours, without hours that are withheld\.$/,
  )
  const ofDays = [row({ space_id: 'A', weekday: 'mon', attendance: 9 })]
  expect(describeList(spaces, ofDays, false)).toMatch(/^People are counted by the day: /)
  const ofTimes = [row({ space_id: 'A', attendance: 9, average: 4, capacity: null })]
  expect(describeList(spaces, [...ofDays, ...ofTimes], false)).toMatch(/ takes its number of places/)
  expect(describeList(spaces, [], true)).toBe('Nothing on this page has been measured.')
  expect(describeList(spaces, [], false)).toBe('Nothing has been measured yet.')
})

it('the sentence of a team tells its days and desks, and nothing of a small team', () => {
  const days = [
    row({ weekday: 'mon', attendance: 14.2 }),
    row({ weekday: 'fri', attendance: 6 }),
    row({ weekday: 'sun', attendance: 0 }),
  ]
  const range = row({ attendance: 10, headcount: 22, sharing_ratio: 1.4667 })
  expect(describeTeam(days, range, 5)).toBe(
    'On Mondays about 14 of 22 people are in, on Fridays 6. On nine days in ten 15 desks are enough: 1.5 people share one.',
  )
  expect(describeTeam([], row({ headcount: 3, suppressed: true }), 5)).toMatch(
    /^Under 5 people: .* put a small team into a larger one\.$/,
  )
  expect(describeTeam([], row({ headcount: 14, suppressed: true }), 5)).toMatch(/^Under 5 in: /)
})

it('a page by name has the rows of the whole list in order, and the position of the next page', () => {
  const items = Array.from({ length: 120 }, (_, at) => ({ name: `Building ${120 - at}` }))
  const [first, second] = [pageByName(items, undefined), pageByName(items, '50')]
  expect([first.items[0]?.name, first.items.at(-1)?.name, first.nextCursor]).toEqual([
    'Building 1',
    'Building 50',
    '50',
  ])
  expect([second.items[0]?.name, second.nextCursor, second.total]).toEqual(['Building 51', '100', 120])
  expect(pageByName(items, '100')).toMatchObject({ items: { length: 20 }, nextCursor: null })
})

it('tells of bookings which weekdays of months are left out, and nothing when none is', () => {
  expect(describeLeftOut([{ months: 3, months_shown: 3 }])).toBe('')
  expect(
    describeLeftOut([
      { months: 3, months_shown: 1 },
      { months: 3, months_shown: 2 },
    ]),
  ).toMatch(/^There were more bookings than these: a weekday of a month, .* The figures are of 3 of 6 such sums\.$/)
})

it('tells the people of a floor of a plan with those of closed floors, and of a closed one where they sit', () => {
  const expected = { mean: 5.7, lower: 4, upper: 7.7, source: 'forecast' as const }
  const textOf = (moved?: number) =>
    floorPeopleText({ expected, moved_people: moved } as Parameters<typeof floorPeopleText>[0]) // the members that are read
  expect(textOf()).toBe('about 6, at most 8')
  expect(textOf(28)).toBe('about 6, at most 8; and about 28 of closed floors')
  expect(textOf(-21)).toBe('none; about 21 sit elsewhere')
})
