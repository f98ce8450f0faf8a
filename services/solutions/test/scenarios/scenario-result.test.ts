import { describe, expect, it } from '@jest/globals'
import type { Condition } from '../../src/scenarios/model/find-conflict.ts'
import { compareResults } from '../../src/scenarios/result/compare.ts'
import { savingOf } from '../../src/scenarios/result/saving.ts'
import { freeTotalsOf, scenarioResult } from '../../src/scenarios/result/scenario-result.ts'
import type { Simulated } from '../../src/scenarios/result/simulate.ts'
import { requireOneCurrency } from '../../src/scenarios/scenario-floors.ts'
import type { ScenarioFloor, ScenarioInput, ScenarioTeam } from '../../src/scenarios/scenario-input.ts'
import { teamOf } from '../../src/scenarios/scenario-teams.ts'
import type { Conflict, ScenarioSolution } from '../../src/scenarios/solve-scenario.ts'
import { buildTree } from '../../src/workplace/tree.ts'

const floor = (name: string, currency: string | null = 'EUR'): ScenarioFloor => ({
  id: `spc_${name}`,
  name,
  capacity: 50,
  closed: [false],
  shut: [false],
  annualCost: 10_000,
  avoidableShare: 0.5,
  currency,
})

const team = (more: Partial<ScenarioTeam> = {}): ScenarioTeam => ({
  id: 'team_1',
  name: 'Sales',
  isRemainder: false,
  headcount: null,
  home: 0,
  fixed: null,
  excluded: [],
  maxFloors: null,
  near: [],
  contingency: 0,
  growth: 1,
  attendance: {},
  paths: Float32Array.of(10),
  ...more,
})

const inputOf = (more: Partial<ScenarioInput> = {}): ScenarioInput => ({
  objective: 'fewest_floors',
  serviceLevel: 0.95,
  seconds: 1,
  weekdays: ['mon'],
  weekdayOf: [0],
  pathCount: 1,
  floors: [floor('A'), floor('B'), floor('C', 'CHF')],
  teams: [team()],
  ...more,
})

const kept: Simulated = { serviceLevel: 1, byWeekday: [1], withoutPlace: 0, elsewhere: 0, load: [], people: [10] }

/** Returns the solution of one day with these floors open, and those that are with one more point. */
const solutionOf = ({ floors }: ScenarioInput, open: boolean[], next: boolean[]): ScenarioSolution => ({
  conflict: null,
  placed: {
    allocation: { seats: [[[10, 0, 0]]], open: [open] },
    gap: 0,
    isCutShort: false,
    needs: [[10]],
    before: kept,
    changed: kept,
    after: kept,
    bindings: floors.map(() => null),
    saving: savingOf(floors, [open]),
    nextSaving: savingOf(floors, [next]),
  },
})

const conflictOf = (conditions: Condition[], places: number): Conflict => ({
  shortage: { weekday: 0, conditions, places, share: 0.95, people: 0.75 * places, isOfAll: false },
  reachable: null,
})

describe('scenarioResult', () => {
  it('counts the people who move on the weekday on which most do, and floors by week and by day', () => {
    // A team moves on Mondays, the other one on Tuesdays.
    const days = { closed: [false, false], shut: [false, false] }
    const input = inputOf({
      weekdays: ['mon', 'tue'],
      floors: ['A', 'B', 'C'].map((name) => ({ ...floor(name), ...days })),
      teams: [team(), team({ id: 'team_2', home: 1 })],
    })
    const open = [
      [false, true, false],
      [true, false, false],
    ]
    const solution = solutionOf(input, [], [])
    const seats = [0, 1].map((day) => [0, 1].map(() => [day * 10, (1 - day) * 10, 0]))
    if (solution.placed !== null) Object.assign(solution.placed, { allocation: { seats, open }, needs: [[10], [10]] })
    const result = scenarioResult(input, solution)
    expect([result.moved_people, ...result.teams.map(({ moved_people: moved }) => moved)]).toEqual([10, 10, 10])
    expect(result.conclusion).toContain('up to 10 people a day sit elsewhere')
    expect(freeTotalsOf(result)).toEqual({
      floors_all_week: 1,
      floors_some_days: 2,
      of_floors: 3,
      floor_days: 4,
      of_floor_days: 6,
    })
  })

  it.each([
    { of: 'one currency', open: [true, false, true], next: [true, true, true], expected: { saving: 0, cost: 5_000 } },
    { of: 'two currencies', open: [true, false, true], next: [true, true, false], expected: null },
    { of: 'a sum of two currencies', open: [true, false, false], next: [true, true, false], expected: null },
    { of: 'the last point', serviceLevel: 0.995, open: [true, false, true], next: [true, true, true], expected: null },
  ])('compares the saving of the next point only if it can: $of', ({ open, next, expected, ...more }) => {
    const { next_point: point } = scenarioResult(inputOf(more), solutionOf(inputOf(more), open, next))
    if (expected === null) expect(point).toBeNull()
    else expect(point).toMatchObject(expected)
  })

  it.each([
    ['costs of two currencies', [false, true, false], 'several currencies'],
    ['no floor', [true, true, true], 'No floor closes.'],
    ['no share', [false, true, true], 'The share saved when closed is not stated for A'],
  ])('gives the reason of a missing saving when there is %s', (why, open, reason) => {
    const input = inputOf()
    if (why === 'no share') for (const each of input.floors) each.avoidableShare = null
    const { saving, saving_missing: missing, warnings } = scenarioResult(input, solutionOf(input, open, open))
    expect({ saving, missing }).toEqual({ saving: null, missing: expect.stringContaining(reason) })
    expect(warnings).not.toContain(missing)
  })

  it('tells no use of today of a floor where no one of the plan sits', () => {
    const usesOf = (load: number[][], home: number | null = 0) => {
      const solution = solutionOf(inputOf(), [true, true, true], [])
      if (solution.placed !== null) Object.assign(solution.placed, { before: { ...kept, load } })
      const { floors } = scenarioResult(inputOf({ teams: [team({ home })] }), solution)
      return floors.map(({ utilization_before: before }) => before)
    }
    expect(usesOf([[10], [5], [0]])).toEqual([{ mon: 0.2 }, { mon: 0.1 }, {}])
    // A team at home may have no one in.
    expect(usesOf([[0], [0], [0]])).toEqual([{ mon: 0 }, {}, {}])
    expect(usesOf([[10], [5], [0]], null)).toEqual([{}, {}, {}])
  })

  it('names the teams whose rule of attendance counts members that are not known', () => {
    const conflict = conflictOf([{ kind: 'fixed', team: 0 }], 10)
    const teams = [
      team({ attendance: { minDays: 3 }, fixed: [] }),
      team({ name: 'Staggered', attendance: { stagger: true } }),
      team({ name: 'Known', headcount: 20, attendance: { fixedDays: [0] } }),
    ]
    const result = scenarioResult(inputOf({ teams }), { placed: null, conflict })
    expect(result.warnings).toEqual([
      'The headcount of Sales is not known, so that minimum days and fixed days do not change who comes.',
    ])
    expect(result.conflict).toEqual(['Sales may sit only on floors that are not in this plan.'])
  })

  it('leaves the names around spaces and teams out that all have in common', () => {
    const conditions = [{ kind: 'capacity', floor: 0 } as const, { kind: 'need', team: 1 } as const]
    const conflict = conflictOf(conditions, 60)
    const input = inputOf({
      floors: [floor('Berlin / A / 1'), floor('Berlin / B / 1')],
      teams: [team({ name: 'Company / Sales' }), team({ name: 'Company / Service' })],
    })
    expect(scenarioResult(input, { placed: null, conflict }).conflict).toEqual([
      'On Mondays, Service needs 60 places, so that everyone has one on 95 % of them; 45 come on average.',
      'A / 1 has 50 places: 10 are missing.',
    ])
  })
})

describe('requireOneCurrency', () => {
  const [euros, francs, none] = [floor('A'), floor('B', 'CHF'), floor('C', null)]
  it.each([
    { of: 'one currency', floors: [euros, euros], objective: 'lowest_cost' as const, isRefused: false },
    {
      of: 'no cost in the other currency',
      floors: [euros, { ...francs, annualCost: 0 }],
      objective: 'lowest_cost' as const,
      isRefused: false,
    },
    { of: 'two currencies', floors: [euros, francs], objective: 'lowest_cost' as const, isRefused: true },
    { of: 'a cost without a currency', floors: [euros, none], objective: 'lowest_cost' as const, isRefused: true },
    {
      of: 'two currencies that are not compared',
      floors: [euros, francs],
      objective: 'fewest_floors' as const,
      isRefused: false,
    },
  ])('refuses the lowest cost in several currencies: $of is refused $isRefused', ({ floors, objective, isRefused }) => {
    const check = () => requireOneCurrency(floors, { objective })
    if (isRefused) expect(check).toThrow(/cannot be compared/)
    else expect(check).not.toThrow()
  })
})

describe('compareResults', () => {
  it('states no difference from a saving that is not known', () => {
    const resultOf = (open: boolean[]) => scenarioResult(inputOf(), solutionOf(inputOf(), open, open))
    const [none, euros, both] = [
      [true, true, true],
      [true, false, true],
      [true, false, false],
    ].map(resultOf)
    if (none === undefined || euros === undefined || both === undefined) throw new Error('three results are missing')
    expect(compareResults(none, euros)).toMatchObject({ saving: 5_000, currency: 'EUR' })
    expect(compareResults(both, euros)).toMatchObject({ saving: null, currency: null })
    expect(compareResults(both, euros).conclusion).not.toMatch(/saves/)
    const stale = { ...euros, warnings: ['Stale: gone.'] }
    expect(compareResults(none, stale).warnings).toEqual([...none.warnings, 'Stale: gone.'])
  })
})

describe('teamOf', () => {
  const growthOf = (headcount: number | null, number: number) => {
    const node = {
      id: 'team_1',
      parentId: null,
      externalId: null,
      name: 'Sales',
      headcount,
      homeSpaceId: null,
      near: [],
      fixedSpaceIds: [],
      excludedSpaceIds: [],
      maxFloors: null,
      contingency: null,
    }
    const changes = {
      close_spaces: [],
      capacity: [],
      cost: [],
      attendance: [],
      headcount: [{ team_id: node.id, number }],
    }
    const asked = {
      name: 'Growth',
      forecast_run_id: 'fr_1',
      space_id: null,
      changes,
      objective: 'fewest_floors' as const,
      service_level: 0.95,
      time_limit_seconds: 1,
    }
    const row = { node: node.id, isRemainder: false }
    return teamOf([node], { teams: buildTree([node]), asked, positions: () => [], home: null, open: ['mon'], row })
      .growth
  }

  it('compares a new headcount with that of today', () => {
    expect(growthOf(40, 50)).toBe(1.25)
    expect(growthOf(null, 0)).toBe(0)
  })

  it.each([null, 0])('refuses a new headcount of a team that has %s today', (headcount) => {
    expect(() => growthOf(headcount, 50)).toThrow(/headcount of Sales today is not known/)
  })
})
