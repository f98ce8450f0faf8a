import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { solutions } from '@wp/contracts'
import { checkChanges } from '../../src/scenarios/check-changes.ts'
import { floorPeople } from '../../src/scenarios/floor-people.ts'
import { holidaysOf } from '../../src/scenarios/read-basis.ts'
import { readScenario } from '../../src/scenarios/read-scenario.ts'
import { floorPositions, floorsOf } from '../../src/scenarios/scenario-floors.ts'
import { requirePlanned } from '../../src/scenarios/scenario-teams.ts'
import { describePeople, teamShareOf, teamShareWarnings } from '../../src/scenarios/team-share.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { spaceNode } from '../fixture/space-node.ts'

const mondays = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']
const counted = (spaceId: string, attendance: number[]) =>
  attendance.map((people, at) => ({ spaceId, day: mondays[at] ?? '', attendance: people }))

it('compares the forecast of the teams with the usual days of the spaces', () => {
  // A holiday has no effect.
  const rows = [...counted('a', [100, 0, 100, 100]), ...counted('b', [20, 20, 20, 20])]
  expect(teamShareOf(rows, { mon: 90, tue: 80 })).toBe(0.75)
  expect(teamShareOf(rows, { tue: 80 })).toBeNull()
  expect(teamShareOf([], { mon: 90 })).toBeNull()
})

it('warns of people who are not planned for', () => {
  expect(teamShareWarnings(0.75)[0]).toContain('has 75 % of the people')
  expect([teamShareWarnings(0.9), teamShareWarnings(1.2), teamShareWarnings(null)]).toEqual([[], [], []])
})

it('says which of the people a scenario is about', () => {
  const small = [
    { name: 'Recht', headcount: 7 },
    { name: 'Personal', headcount: 5 },
  ]
  expect(describePeople(0.897, small)).toBe(
    'For 90 % of the people counted here, without Recht and Personal (12 people)',
  )
  expect(describePeople(0.93, [{ name: 'Recht', headcount: null }])).toBe(
    'For 93 % of the people counted here, without Recht',
  )
  expect(describePeople(null, [{ name: 'Recht', headcount: 1 }])).toBe('Without Recht (1 person)')
  expect(describePeople(0.8, [])).toBe('For 80 % of the people counted here')
  expect(describePeople(0.93, [])).toBeNull()
})

it('warns of a plan for far more people than come', () => {
  expect(teamShareWarnings(2.5)).toEqual([expect.stringContaining('has 250 % of the people counted here')])
})

const hoursOn = (...days: string[]) => Object.fromEntries(days.map((day) => [day, { from: '08:00', to: '18:00' }]))
const places = { capacity: 50 }
const spaces = buildTree([
  spaceNode('berlin', 'site', null),
  spaceNode('b1', 'floor', 'berlin', places),
  spaceNode('b2', 'floor', 'berlin', { ...places, openingHours: hoursOn('mon', 'tue', 'wed', 'thu') }),
  spaceNode('room', 'room', 'b2', { capacity: 8 }),
  spaceNode('never', 'floor', 'berlin', { ...places, openingHours: {} }),
  spaceNode('cairo', 'site', null, { openingHours: hoursOn('sun', 'mon', 'tue', 'wed', 'thu') }),
  spaceNode('c1', 'floor', 'cairo'),
  spaceNode('zone', 'zone', 'c1', { capacity: 20 }),
])
const asked = (changes: object, spaceId: string | null = null) => ({
  ...solutions.createScenario.body.parse({
    name: 'A',
    forecast_run_id: 'fr_01h455vb4pex5vsknk084sn02q',
    time_limit_seconds: 1,
  }),
  space_id: spaceId,
  changes: { close_spaces: [], headcount: [], attendance: [], capacity: [], cost: [], ...changes },
})

describe('floorsOf', () => {
  it('lets floors close only on weekdays on which they are open', () => {
    const changes = { close_spaces: [{ space_id: 'b1', weekdays: ['fri' as const] }] }
    const { floors, open } = floorsOf(spaces, asked(changes), { isWithin: () => true })
    expect(floorsOf(spaces, asked(changes), { isWithin: () => true, isKnown: (id) => id !== 'b2' })).toMatchObject({
      unknown: [{ id: 'b2' }],
      floors: [{ id: 'b1' }, { id: 'c1' }],
    })
    const daysOf = (flags: readonly boolean[]) => open.filter((_, at) => flags[at])
    expect(open).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sun'])
    expect(floors.map(({ id, shut, closed }) => [id, daysOf(shut), daysOf(closed)])).toEqual([
      ['b1', ['sun'], ['fri', 'sun']],
      ['b2', ['fri', 'sun'], ['fri', 'sun']],
      ['c1', ['fri'], ['fri']],
    ])
  })
})

describe('floorPeople', () => {
  const row = (node: string, values: number[], isRemainder = false) => ({
    node,
    isRemainder,
    paths: Float32Array.from(values),
  })

  it('counts people of two floors once, and has those of no floor', () => {
    // On the first day 30 people were on both floors, on the second 20 on none, on the third the site has fewer at all.
    const rows = [row('b1', [60, 60, 2]), row('b2', [60, 60, 2]), row('berlin', [-30, 20, -9], true)]
    const people = floorPeople([...rows, row('gone', [9, 9, 9])], spaces)
    expect(people.map(({ node, name, paths }) => [node, name, [...paths]])).toEqual([
      ['b1', 'berlin / People on b1', [45, 60, 0]],
      ['b2', 'berlin / People on b2', [45, 60, 0]],
      ['berlin', 'Others in berlin', [0, 20, 0]],
    ])
  })

  it('takes each remainder off what is inside of it alone', () => {
    const campus = buildTree([
      spaceNode('campus', 'site', null),
      ...['a', 'b'].flatMap((name) => [
        spaceNode(name, 'building', 'campus'),
        spaceNode(`${name}1`, 'floor', name, places),
      ]),
    ])
    const rows = [
      row('campus', [-12], true),
      row('a', [-10], true),
      row('a1', [50]),
      row('b1', [80]),
      row('b', [0], true),
    ]
    const people = floorPeople(rows, campus)
    expect(people.map(({ node, paths }) => [node, Math.round((paths[0] ?? 0) * 10) / 10])).toEqual([
      ['a1', 36],
      ['b1', 72],
    ])
  })
})

describe('holidaysOf', () => {
  const one = (team: string, ...dates: string[]) => ({
    key: { team },
    holidays: { dates: dates.map((date) => ({ date, name: 'Holiday' })) },
  })

  it('has the holidays of the teams that are planned, not of those elsewhere', () => {
    const series = [one('bavaria', '2026-11-01', '2026-12-25'), one('berlin', '2026-12-25')] as never // of many fields
    expect([...holidaysOf({ series }, [{ id: 'bavaria' }])]).toEqual(['2026-11-01', '2026-12-25'])
    expect([...holidaysOf({ series }, [{ id: 'bavaria' }, { id: 'berlin' }])]).toEqual(['2026-12-25'])
  })
})

describe('readScenario', () => {
  const bavaria = { country: 'DE', subdivision: 'BY' }
  const company = [
    spaceNode('company', 'site', null, { country: 'DE' }),
    spaceNode('munich', 'building', 'company', bavaria),
    ...['m1', 'm2'].map((id) => spaceNode(id, 'floor', 'munich', places)),
    spaceNode('annex', 'building', 'company'),
  ]
  const teamNode = (id: string, parentId: string | null, homeSpaceId: string | null = null) => ({
    id,
    parentId,
    homeSpaceId,
    externalId: null,
    name: id,
    headcount: 20,
    near: [],
    fixedSpaceIds: [],
    excludedSpaceIds: [],
    maxFloors: null,
    contingency: null,
  })
  const horizon = 14
  const pathsOf = async (node: string, people: number, isRemainder = false) => ({
    node,
    isRemainder,
    horizon,
    pathCount: 1,
    paths: zstdCompressSync(new Uint8Array(new Float32Array(horizon).fill(people).buffer)),
  })
  // Corpus Christi, a holiday in Bavaria, is Thursday 4 June.
  const series = (kind: 'space' | 'team', ids: string[]) =>
    ids.map((id) => ({
      key: { [kind]: id },
      holidays: { dates: id === 'company' ? [] : [{ date: '2026-06-04', name: 'Corpus Christi' }] },
    }))
  const read = async (given: {
    level: 'floor' | 'team'
    people: [node: string, people: number, isRemainder?: boolean][]
    teams?: ReturnType<typeof teamNode>[]
    spaceId?: string
    changes?: object
  }) => {
    const { level, people, teams = [], spaceId = null, changes = {} } = given
    const rows = await Promise.all(people.map((row) => pathsOf(...row)))
    const query = async (sql: string) =>
      sql.includes('forecast_paths') ? rows : sql.includes('FROM teams') ? teams : company
    const names = people.map(([node]) => node)
    const run = {
      input: { parameters: { workplace: { level, measure: 'attendance' } } },
      result: { history_until: '2026-05-31', series: series(level === 'team' ? 'team' : 'space', names) },
    }
    return readScenario(query as never, 'ws_1', asked(changes, spaceId), run as never) // the members that are read
  }
  const thursdays = ({ input }: Awaited<ReturnType<typeof readScenario>>) => [input.weekdayOf[3], input.weekdayOf[10]]

  it.each<[string, Parameters<typeof read>[0], number]>([
    [
      'no one is counted outside',
      {
        level: 'floor',
        people: [
          ['m1', 9],
          ['m2', 9],
          ['company', 0, true],
        ],
      },
      -1,
    ],
    [
      'some are counted outside',
      {
        level: 'floor',
        people: [
          ['m1', 9],
          ['m2', 9],
          ['company', 9, true],
        ],
      },
      3,
    ],
    [
      'all are in teams there',
      {
        level: 'team',
        people: [
          ['sales', 9],
          ['company', 0, true],
        ],
        teams: [teamNode('company', null), teamNode('sales', 'company', 'm1')],
      },
      -1,
    ],
  ])('leaves out a holiday of a site in a company without that holiday when %s', async (_, given, weekday) => {
    expect(thursdays(await read(given))).toEqual([weekday, 3])
  })

  it('has a team at home where the teams in it sit that are too small for a forecast', async () => {
    const small = [teamNode('tiny', 'sales', 'm2'), teamNode('small', 'sales', 'm2')]
    const { input } = await read({
      level: 'team',
      people: [
        ['sales', 9],
        ['ops', 9],
        ['it', 9],
      ],
      teams: [teamNode('sales', null), ...small, teamNode('ops', null, 'm1'), teamNode('it', null)],
    })
    expect(input.teams.map(({ id, home }) => [id, home])).toEqual([
      ['sales', 1],
      ['ops', 0],
      ['it', null],
    ])
  })

  it('names the outermost teams of the space that the forecast has no one of', async () => {
    const teams = [
      teamNode('company', null),
      teamNode('sales', 'company', 'm1'),
      teamNode('legal', 'company', 'm2'),
      teamNode('patents', 'legal'),
      teamNode('abroad', null, 'annex'),
    ]
    const given = { level: 'team' as const, people: [['sales', 9] as [string, number]], teams }
    const legal = { name: 'company / legal', headcount: 20 }
    expect((await read({ ...given, spaceId: 'munich' })).leftOut).toEqual([legal])
    expect((await read(given)).leftOut).toEqual([{ name: 'abroad', headcount: 20 }, legal])
    const withOthers = { ...given, people: [...given.people, ['company', 9, true] as [string, number, boolean]] }
    expect((await read(withOthers)).leftOut).toEqual([{ name: 'abroad', headcount: 20 }])
  })

  it.each<[string, Parameters<typeof read>[0], string, RegExp]>([
    ['of no floors', { level: 'floor', people: [['m1', 9]], spaceId: 'annex' }, 'no_data', /^The space has no floors/],
    [
      'of no team, beside a change of one',
      {
        level: 'team',
        people: [['sales', 9]],
        teams: [teamNode('sales', null)],
        spaceId: 'munich',
        changes: { headcount: [{ team_id: 'sales', percent: 10 }] },
      },
      'no_data',
      /^No team of the forecast is at home in the space/,
    ],
    [
      'of a space that was deleted',
      { level: 'floor', people: [['m1', 9]], spaceId: 'gone' },
      'not_found',
      /^The space/,
    ],
    [
      'with a change of a team that was deleted',
      { level: 'floor', people: [['m1', 9]], changes: { headcount: [{ team_id: 'gone', percent: 10 }] } },
      'validation_failed',
      /^The change \/changes\/headcount\/0\/team_id cannot be followed: is not a team/,
    ],
  ])('fails with a sentence and a code for a plan %s', async (_, given, code, message) => {
    await expect(read(given)).rejects.toMatchObject({ error: { code, message: expect.stringMatching(message) } })
  })
})

describe('floorPositions', () => {
  it('are the floors in a space, and the one that it is in', () => {
    const { floors } = floorsOf(spaces, asked({}), { isWithin: () => true })
    const positions = floorPositions(spaces, floors)
    expect(floors.map(({ id }) => id)).toEqual(['b1', 'b2', 'c1'])
    expect(['berlin', 'b2', 'room', 'zone', 'never', 'gone'].map(positions)).toEqual([[0, 1], [1], [1], [2], [], []])
  })
})

describe('checkChanges', () => {
  const cost = { annual_cost: 1 }
  it.each<[string, object, string | null, RegExp | null]>([
    ['a floor', { capacity: [{ space_id: 'b2', capacity: 9 }] }, 'berlin', null],
    ['a zone that its floor consists of', { capacity: [{ space_id: 'zone', capacity: 9 }] }, null, null],
    ['a room of a floor that states its places', { capacity: [{ space_id: 'room', capacity: 9 }] }, null, /is in b2/],
    ['the places of a site', { capacity: [{ space_id: 'berlin', capacity: 9 }] }, null, /is a site: name floors/],
    ['the cost of a site', { cost: [{ space_id: 'berlin', ...cost }] }, null, /is a site: name floors/],
    ['a room that closes', { close_spaces: [{ space_id: 'room' }] }, null, /only whole floors can close/],
    ['a site that closes', { close_spaces: [{ space_id: 'berlin' }] }, 'berlin', null],
    ['a floor elsewhere', { close_spaces: [{ space_id: 'c1' }] }, 'berlin', /not in the space of the scenario/],
    ['the site around a floor', { close_spaces: [{ space_id: 'berlin' }] }, 'b1', null],
    ['two costs of a floor', { cost: [1, 2].map(() => ({ space_id: 'b1', ...cost })) }, null, /as one before/],
    ['two sizes of all teams', { headcount: [{ percent: 1 }, { percent: 2 }] }, null, /as one before/],
  ])('refuses what no plan of floors can follow: %s', (_what, changes, root, refusal) => {
    const check = () => checkChanges(spaces, asked(changes, root))
    if (refusal === null) expect(check).not.toThrow()
    else
      expect(check).toThrow(
        expect.objectContaining({ errors: [expect.objectContaining({ detail: expect.stringMatching(refusal) })] }),
      )
  })

  it.each<[string, object, boolean]>([
    ['fixed days', { attendance: [{ fixed_days: ['fri', 'sat'] }] }, true],
    ['a day more than the week has', { attendance: [{ min_days: 2.5 }] }, true],
    ['a closed day', { close_spaces: [{ space_id: 'b1', weekdays: ['sat'] }] }, true],
    [
      'days that it has',
      { attendance: [{ min_days: 2, fixed_days: ['thu'] }], close_spaces: [{ space_id: 'b1' }] },
      false,
    ],
  ])('refuses weekdays that are not in the plan: %s', (_what, changes, isRefused) => {
    const check = () => requirePlanned([], buildTree([]), ['thu', 'fri'], asked(changes))
    if (isRefused) expect(check).toThrow(/the floors of the plan are open on thu, fri/)
    else expect(check).not.toThrow()
  })

  it('refuses the change of a team that is not in the plan', () => {
    const team = { externalId: null, headcount: 9, homeSpaceId: null, near: [], fixedSpaceIds: [] }
    const more = { excludedSpaceIds: [], maxFloors: null, contingency: null }
    const teams = buildTree(
      [
        ['all', null],
        ['sales', 'all'],
        ['legal', 'all'],
      ].map(([id, parentId]) => ({
        ...team,
        ...more,
        id: id ?? '',
        name: id ?? '',
        parentId: parentId ?? null,
      })),
    )
    const check = (id: string) => () =>
      requirePlanned([{ id: 'sales' }], teams, ['thu'], asked({ headcount: [{ team_id: id, percent: 10 }] }))
    expect(check('all')).not.toThrow()
    expect(check('legal')).toThrow(/changes\/headcount\/0\/team_id: the team has no forecast/)
  })
})
