import { describe, expect, it } from '@jest/globals'
import { loadSolver } from '../../src/privacy/index.ts'
import { findConflict } from '../../src/scenarios/model/find-conflict.ts'
import { type Allocation, type Model, mayUse, objectiveOf, objectives } from '../../src/scenarios/model/model.ts'
import { Program } from '../../src/scenarios/model/program.ts'
import { openFloors, placeOn } from '../../src/scenarios/model/solve-model.ts'
import { randomFrom } from '../privacy/random-lattice.ts'

const highs = await loadSolver()

describe('a program', () => {
  it('has no values when it has no columns, unless a row rules 0 out', () => {
    const empty = new Program()
    empty.addRow([], 0, 1)
    expect(empty.solve(highs, limits)).toEqual({ values: new Float64Array(), gap: 0 })
    empty.addRow([], 1, 2)
    expect(empty.solve(highs, limits)).toBeNull()
  })

  it('fails with another error than a time limit when the solver fails', () => {
    const unbounded = new Program()
    unbounded.addColumn(-1)
    expect(() => unbounded.solve(highs, limits)).toThrow('the solver ended with model status 10')
  })
})

const limits = { seconds: 20, gap: 0 }

/** Opens floors and places the teams on them, all with the same needs. */
function solve(model: Model): { allocation: Allocation; gap: number } | null {
  const opened = openFloors(highs, model, limits)
  if (opened === null) return null
  const seats: number[][][] = []
  for (const [day, open] of opened.open.entries())
    seats.push(placeOn(highs, model, day, { open, dayBefore: seats[day - 1] }, limits) ?? [])
  return { allocation: { seats, open: opened.open }, gap: opened.gap }
}

/** A case that a search over all sets of floors and places solves: 2 or 3 floors, up to 3 teams, 1 or 2 weekdays. */
function randomModel(seed: number): Model {
  const random = randomFrom(seed + 1)
  const int = (below: number) => Math.floor(random() * below)
  const weekdayCount = 1 + int(2)
  const floorCount = 2 + int(2)
  const teamCount = 1 + int(3)
  const maybe = <Value>(share: number, value: () => Value): Value | null => (random() < share ? value() : null)
  return {
    weekdayCount,
    objective: objectives[seed % objectives.length] ?? 'lowest_cost',
    floors: Array.from({ length: floorCount }, () => ({
      capacity: 1 + int(6),
      closed: Array.from({ length: weekdayCount }, () => random() < 0.15),
      weekdayCost: int(100),
    })),
    teams: Array.from({ length: teamCount }, () => ({
      needs: Array.from({ length: weekdayCount }, () => int(6)),
      home: maybe(0.7, () => int(floorCount)),
      fixed: maybe(0.2, () => [int(floorCount), int(floorCount)]),
      excluded: maybe(0.2, () => [int(floorCount)]) ?? [],
      maxFloors: maybe(0.4, () => 1 + int(2)),
      near: [],
    })),
  }
}

/** Returns each way to place a team on the floors of a weekday. */
function waysOf(model: Model, team: number, day: number): number[][] {
  const own = model.teams[team]
  if (own === undefined) return []
  const ways: number[][] = []
  const fill = (places: number[], left: number): void => {
    const floor = places.length
    if (floor === model.floors.length) {
      const isAllowed = places.every((count, at) => count === 0 || mayUse(own, at))
      const used = places.filter((count) => count > 0).length
      if (left === 0 && isAllowed && (own.maxFloors === null || used <= own.maxFloors)) ways.push(places)
      return
    }
    const limit = model.floors[floor]?.closed[day] ? 0 : Math.min(left, model.floors[floor]?.capacity ?? 0)
    for (let count = 0; count <= limit; count++) fill([...places, count], left - count)
  }
  fill([], own.needs[day] ?? 0)
  return ways
}

/** Returns all allocations of a weekday that keep the capacities, as places by team and floor. */
function allocationsOf(model: Model, day: number): number[][][] {
  let found: number[][][] = [[]]
  for (const team of model.teams.keys())
    found = found.flatMap((placed) =>
      waysOf(model, team, day)
        .map((way) => [...placed, way])
        .filter((all) =>
          model.floors.every(
            ({ capacity }, floor) => all.reduce((sum, places) => sum + (places[floor] ?? 0), 0) <= capacity,
          ),
        ),
    )
  return found
}

const openIn = (model: Model, seats: number[][]): boolean[] =>
  model.floors.map((_, floor) => seats.some((places) => (places[floor] ?? 0) > 0))

/** Returns the best value by trying every allocation; null if there is none. */
function bruteForce(model: Model): number | null {
  // Of a weekday, only the sets of floors and the people who move matter.
  const days = Array.from({ length: model.weekdayCount }, (_, day) => {
    const byOpen = new Map<string, number[][]>()
    for (const seats of allocationsOf(model, day)) {
      const key = `${openIn(model, seats)}`
      const known = byOpen.get(key)
      const value = (each: number[][]) => objectiveOf(model, { seats: [each], open: [openIn(model, each)] })
      if (known === undefined || value(seats) < value(known)) byOpen.set(key, seats)
    }
    return [...byOpen.values()]
  })
  let best: number | null = null
  const combine = (chosen: number[][][]): void => {
    if (chosen.length === model.weekdayCount) {
      const value = objectiveOf(model, { seats: chosen, open: chosen.map((seats) => openIn(model, seats)) })
      if (best === null || value < best) best = value
    } else for (const seats of days[chosen.length] ?? []) combine([...chosen, seats])
  }
  combine([])
  return best
}

/** Returns the conditions that an allocation violates. */
function violationsOf(model: Model, { seats, open }: Allocation): string[] {
  const violations: string[] = []
  for (const [day, places] of seats.entries()) {
    for (const [team, own] of places.entries()) {
      const asked = model.teams[team]
      if (asked === undefined) continue
      const sum = own.reduce((all, count) => all + count, 0)
      if (sum !== asked.needs[day]) violations.push(`team ${team} has ${sum} of ${asked.needs[day]}`)
      const used = own.flatMap((count, floor) => (count > 0 ? [floor] : []))
      if (used.some((floor) => !mayUse(asked, floor))) violations.push(`team ${team} is on a floor it may not use`)
      if (asked.maxFloors !== null && used.length > asked.maxFloors) violations.push(`team ${team} is split`)
    }
    for (const [floor, { capacity, closed }] of model.floors.entries()) {
      const sum = places.reduce((all, own) => all + (own[floor] ?? 0), 0)
      if (sum > capacity || (sum > 0 && closed[day])) violations.push(`floor ${floor} has ${sum}`)
      if (sum > 0 !== open[day]?.[floor]) violations.push(`floor ${floor} is not said to be open`)
    }
  }
  return violations
}

describe('openFloors and placeOn', () => {
  it('finds the value of a search over all allocations in 100 random cases, and keeps every condition', () => {
    let [solved, infeasible] = [0, 0]
    for (let seed = 0; seed < 100; seed++) {
      const model = randomModel(seed)
      const expected = bruteForce(model)
      const solution = solve(model)
      const value = solution === null ? null : objectiveOf(model, solution.allocation)
      expect({ seed, value }).toEqual({ seed, value: expected })
      if (solution === null) infeasible++
      else {
        solved++
        expect({ seed, violations: violationsOf(model, solution.allocation) }).toEqual({ seed, violations: [] })
        expect(solution.gap).toBeLessThan(1e-6)
      }
    }
    expect(solved).toBeGreaterThan(50)
    expect(infeasible).toBeGreaterThan(10)
  })

  it('places teams that should be near on one floor, splits none without need, and moves few people', () => {
    const floor = { closed: [false], weekdayCost: 100 }
    const team = { fixed: null, excluded: [], maxFloors: null, near: [] }
    const model: Model = {
      weekdayCount: 1,
      objective: 'lowest_cost',
      floors: [
        { ...floor, capacity: 30 },
        { ...floor, capacity: 30 },
      ],
      teams: [
        { ...team, needs: [20], home: 0 },
        { ...team, needs: [15], home: null, near: [2] },
        { ...team, needs: [15], home: null },
      ],
    }
    expect(solve(model)?.allocation.seats).toEqual([
      [
        [20, 0],
        [0, 15],
        [0, 15],
      ],
    ])
  })
})

describe('findConflict', () => {
  it('names conditions of which each is needed, in 20 cases that cannot be met', () => {
    let cases = 0
    for (let seed = 0; cases < 20; seed++) {
      const model = randomModel(seed)
      const weekday = Array.from({ length: model.weekdayCount }, (_, day) => day).find(
        (day) => allocationsOf(model, day).length === 0,
      )
      if (weekday === undefined) continue
      cases++
      const conflict = findConflict(highs, model, weekday, limits)
      const canMeet = (conditions: typeof conflict) => allocationsOf(keeping(model, weekday, conditions), 0).length > 0
      expect({ seed, conflict, canMeet: canMeet(conflict) }).toEqual({ seed, conflict, canMeet: false })
      for (const condition of conflict)
        expect({ seed, condition, canMeet: canMeet(conflict.filter((other) => other !== condition)) }).toEqual({
          seed,
          condition,
          canMeet: true,
        })
    }
  })
})

/** Returns a weekday in which only some conditions hold, for the search. */
function keeping(model: Model, weekday: number, conditions: ReturnType<typeof findConflict>): Model {
  const has = (kind: string, at: number) =>
    conditions.some(
      (condition) => condition.kind === kind && ('team' in condition ? condition.team : condition.floor) === at,
    )
  return {
    ...model,
    weekdayCount: 1,
    floors: model.floors.map((floor, at) => ({
      ...floor,
      closed: [has('closed', at)],
      capacity: has('capacity', at) ? floor.capacity : 100,
    })),
    teams: model.teams.map((team, at) => ({
      ...team,
      needs: [has('need', at) ? (team.needs[weekday] ?? 0) : 0],
      fixed: has('fixed', at) ? team.fixed : null,
      excluded: has('excluded', at) ? team.excluded : [],
      maxFloors: has('max_floors', at) ? team.maxFloors : null,
    })),
  }
}
