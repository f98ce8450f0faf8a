import { describe, expect, it } from '@jest/globals'
import { loadSolver } from '../../src/privacy/index.ts'
import { cheapestWeek } from '../../src/scenarios/cheapest-week.ts'
import { Planner } from '../../src/scenarios/find-plan.ts'
import { TimeLimitError } from '../../src/scenarios/model/program.ts'
import { scenarioResult } from '../../src/scenarios/result/scenario-result.ts'
import { countKept, serviceLevelOf } from '../../src/scenarios/result/simulate.ts'
import type { ScenarioInput } from '../../src/scenarios/scenario-input.ts'
import { solveScenario } from '../../src/scenarios/solve-scenario.ts'
import { randomFrom } from '../privacy/random-lattice.ts'

const highs = await loadSolver()

const serviceLevel = 0.9
const pathCount = 20

/**
 * Two weekdays, 4 or 5 floors that cost about as much a place, and 3 teams, some of which must sit on certain floors.
 */
function randomInput(seed: number): ScenarioInput {
  const random = randomFrom(seed)
  const int = (below: number) => Math.floor(random() * below)
  const floorCount = 4 + int(2)
  const weekdayOf = [0, 1, 0, 1, 0, 1]
  const capacities = Array.from({ length: floorCount }, () => 6 + int(14))
  const floors = capacities.map((capacity, at) => ({
    id: `spc_${at}`,
    name: `Floor ${at}`,
    capacity,
    closed: [random() < 0.1, false],
    shut: [false, false],
    annualCost: Math.round(capacity * 1000 * (0.9 + 0.2 * random())),
    currency: 'EUR',
    avoidableShare: 0.5,
  }))
  const teams = Array.from({ length: 3 }, (_, at) => {
    const mean = [2 + int(12), 1 + int(8)]
    return {
      id: `team_${at}`,
      name: `Team ${at}`,
      isRemainder: false,
      headcount: null,
      home: int(floorCount),
      fixed: random() < 0.2 ? [int(floorCount), int(floorCount)] : null,
      excluded: [],
      maxFloors: null,
      near: [],
      contingency: 0,
      growth: 1,
      attendance: {},
      paths: Float32Array.from({ length: weekdayOf.length * pathCount }, (_, index) => {
        const usual = mean[weekdayOf[Math.floor(index / pathCount)] ?? 0] ?? 0
        return usual * (0.6 + 0.8 * random())
      }),
    }
  })
  return {
    objective: 'lowest_cost',
    serviceLevel,
    seconds: 30,
    weekdays: ['mon', 'tue'],
    weekdayOf,
    pathCount,
    floors,
    teams,
  }
}

/** Returns the lowest cost of floors with which the week keeps the service level, by trying all sets of floors. */
function lowestCost(input: ScenarioInput): number {
  const { floors, teams } = input
  const demand = teams.map(({ paths }) => paths)
  const [first = [], second = []] = input.weekdays.map((_, weekday) =>
    Array.from({ length: 2 ** floors.length }, (_, set) =>
      floors.map(({ closed }, floor) => ((set >> floor) & 1) === 1 && !closed[weekday]),
    ).map((open) => ({ cost: costOf(input, open), kept: countKept(input, demand, { weekday, open }).kept })),
  )
  const days = 3 * pathCount
  const most = (sets: typeof first) => Math.max(...sets.map(({ kept }) => kept))
  const isReachable = most(first) + most(second) >= serviceLevel * 2 * days
  // Reachable: no weekday is missed more than twice as often as promised.
  const least = (isReachable ? 1 - 2 * (1 - serviceLevel) : serviceLevel) * days - 1e-9
  const isEnough = (sets: typeof first, kept: number) => kept >= Math.min(least, most(sets))
  return Math.min(
    ...first.flatMap((one) =>
      second.flatMap((other) =>
        isEnough(first, one.kept) &&
        isEnough(second, other.kept) &&
        (!isReachable || one.kept + other.kept >= serviceLevel * 2 * days)
          ? [one.cost + other.cost]
          : [],
      ),
    ),
  )
}

const costOf = ({ floors }: ScenarioInput, open: readonly boolean[]): number =>
  floors.reduce(
    (sum, { annualCost, avoidableShare }, floor) =>
      sum + (open[floor] ? ((annualCost ?? 0) * (avoidableShare ?? 0)) / 2 : 0),
    0,
  )

describe('solveScenario', () => {
  it('names a conflict where places of whole people are found, and parts of people do not fit', () => {
    const {
      floors: [floor],
      teams: [team],
      ...rest
    } = randomInput(1)
    if (floor === undefined || team === undefined) throw new Error('a random input has floors and teams')
    // 12 teams of 3.4 people round to 36 places; 40.8 people come.
    const few = { ...team, home: 0, fixed: null, paths: team.paths.map(() => 3.4) }
    const solved = solveScenario(highs, {
      ...rest,
      floors: [{ ...floor, capacity: 36, closed: [false, false] }],
      teams: Array.from({ length: 12 }, () => few),
    })
    expect(solved.conflict?.shortage.conditions).toContainEqual({ kind: 'capacity', floor: 0 })
    expect(solved.conflict?.shortage).toMatchObject({ places: 41, share: serviceLevel, isOfAll: true })
    expect(solved.conflict?.reachable).toBe(0)
  })

  it('states the places that all who are limited to the same floors need, beside what they have', () => {
    const input = randomInput(1)
    const [team, floor] = [input.teams[0], input.floors[0]]
    if (floor === undefined || team === undefined) throw new Error('a random input has floors and teams')
    // 10 to 29 people of each team: the whole building needs 84 on nine days of ten, 58.5 on average.
    const paths = Float32Array.from({ length: 6 * pathCount }, (_, at) => 10 + (at % pathCount))
    const teams = ['A', 'B', 'C'].map((name) => ({ ...team, name, fixed: name === 'C' ? [0] : null, paths }))
    const building = {
      ...input,
      teams,
      floors: [30, 20, 40].map((capacity, at) => ({
        ...floor,
        name: `Floor ${at}`,
        capacity,
        closed: [at === 2, false],
      })),
    }
    const conclusionOf = (of: ScenarioInput) => scenarioResult(of, solveScenario(highs, of)).conclusion
    expect(conclusionOf(building)).toContain(
      'On Mondays, 81 places are needed, so that everyone has one on 90 % of them; 59 come on average. ' +
        'Floor 0 and Floor 1 have 50 places: 31 are missing. ' +
        'Floor 2 is closed on Mondays: with its 40 places, there would be enough.',
    )
    // Too few places even with the closed floor, which still has none.
    const [first, second, closed] = building.floors
    if (first === undefined || second === undefined || closed === undefined) throw new Error('there are three floors')
    expect(conclusionOf({ ...building, floors: [first, second, { ...closed, capacity: 5 }] })).toContain(
      'have 50 places: 31 are missing. Floor 2 is closed on Mondays: with its 5 places, 26 would still be missing.',
    )
    const fixed = teams.map((one) => ({ ...one, fixed: one.name === 'A' ? null : [1] }))
    expect(conclusionOf({ ...building, teams: fixed })).toContain(
      'B and C need 54 places, so that everyone has one on 90 % of them; 39 come on average. ' +
        'Floor 1 has 20 places: 34 are missing. B and C may sit only on Floor 1.',
    )
    const homeless = teams.map((one) => ({ ...one, fixed: one.name === 'A' ? null : [] }))
    expect(conclusionOf({ ...building, teams: homeless })).toContain(
      'come on average. B and C may sit only on floors that are not in this plan.',
    )
  })

  it('plans for the people of today when nothing is changed', () => {
    const input = randomInput(1)
    const teams = input.teams.map((team) => ({ ...team, headcount: Math.max(...team.paths) - 1 }))
    const { placed } = solveScenario(highs, { ...input, teams })
    expect(placed?.before.people).toEqual(placed?.after.people)
  })
})

describe('Planner', () => {
  it('keeps what is promised, or what can be reached, at the cost of a search over all sets', () => {
    let [planned, short] = [0, 0]
    for (let seed = 6; seed <= 20; seed++) {
      const input = randomInput(seed)
      const planner = new Planner(
        highs,
        input,
        input.teams.map(({ paths }) => paths),
        1_000_000,
      )
      const plan = planner.find(serviceLevel)
      if (plan === null) continue
      planned++
      const reachable = serviceLevelOf(planner.best)
      if (reachable < serviceLevel) short++
      else expect({ seed, isKept: serviceLevelOf(plan.week) >= serviceLevel }).toEqual({ seed, isKept: true })
      const cost = plan.allocation.open.reduce((sum, open) => sum + costOf(input, open), 0)
      expect({ seed, cost: Math.round(cost), gap: plan.gap }).toEqual({
        seed,
        cost: Math.round(lowestCost(input)),
        gap: 0,
      })
    }
    expect(planned).toBeGreaterThan(8)
    expect(short).toBeGreaterThan(0)
  })

  it('finds a plan when the hours of a floor close it on all weekdays', () => {
    const input = randomInput(9)
    const shut = { ...input.floors[0], closed: [true, true], shut: [true, true] } as ScenarioInput['floors'][number] // a floor
    const { placed } = solveScenario(highs, { ...input, serviceLevel: 0.5, floors: [...input.floors, shut] })
    expect(placed?.allocation.open.map((open) => open.at(-1))).toEqual([false, false])
  })

  it('keeps the places found with the floors when the time ends before teams are placed on others', () => {
    // Programs that decide which floors open have their costs, those of places have small weights.
    const hurried: typeof highs = Object.create(highs, {
      withModel: {
        value: (...[data, run]: Parameters<typeof highs.withModel>) => {
          const { colCost } = data as { colCost: readonly number[] } // as `Program` gives it
          if (Math.max(...colCost) < 100) throw new TimeLimitError()
          return highs.withModel(data, run)
        },
      },
    })
    const input = randomInput(9)
    const demand = input.teams.map(({ paths }) => paths)
    const plan = new Planner(hurried, input, demand, 1_000_000).find(serviceLevel)
    expect(plan?.isCutShort).toBe(true)
    expect(serviceLevelOf(plan?.week ?? [])).toBeGreaterThanOrEqual(serviceLevel)
    for (const [day, ofDay] of plan?.allocation.seats.entries() ?? [])
      for (const [team, seats] of ofDay.entries()) {
        expect(seats.reduce((sum, places) => sum + places, 0)).toBe(Math.round(plan?.needs[team]?.[day] ?? 0))
        expect(seats.every((places, floor) => places === 0 || plan?.allocation.open[day]?.[floor])).toBe(true)
      }
    const { placed } = solveScenario(hurried, input)
    expect(placed && scenarioResult(input, { placed, conflict: null }).warnings).toContainEqual(
      expect.stringContaining('best plan found so far'),
    )
  })
})

describe('Planner, of a team that may sit on one floor', () => {
  it('opens no floor on which no one sits', () => {
    const input = randomInput(1)
    const [floor] = input.floors
    const [team] = input.teams
    if (floor === undefined || team === undefined) throw new Error('there are floors and teams')
    const floors = [40, 40, 60].map((capacity, at) => ({
      ...floor,
      id: `spc_${at}`,
      capacity,
      annualCost: [1000, 1000, 3000][at] ?? 0,
      closed: [false, false],
    }))
    const paths = team.paths.map((_, at) => 48 + (at % 5))
    const teams = [{ ...team, home: null, fixed: null, maxFloors: 1, paths }]
    const plan = new Planner(highs, { ...input, floors, teams }, [paths], 1_000_000).find(serviceLevel)
    expect(plan?.allocation.open).toEqual(input.weekdays.map(() => [false, false, true]))
  })
})

describe('cheapestWeek', () => {
  it('closes a floor all week where that costs as much as closing others on some days', () => {
    const [capacities, people] = [
      [10, 20],
      [10, 20],
    ]
    const found = cheapestWeek({
      mayOpen: people.map(() => [true, true]),
      costs: [100, 100],
      dayOf: (weekday, open) => {
        const places = capacities.reduce((sum, capacity, floor) => sum + (open[floor] ? capacity : 0), 0)
        return { days: 1, kept: places >= (people[weekday] ?? 0) ? 1 : 0 }
      },
      leastOf: () => 1,
      isKept: () => true,
      hasTime: () => true,
    })
    expect(found?.open).toEqual([
      [false, true],
      [false, true],
    ])
  })
})
