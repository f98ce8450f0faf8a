import type { Highs } from 'highs'
import { changeDemand } from './demand/change-demand.ts'
import { type Demand, needsAt, sortedByWeekday } from './demand/needs.ts'
import { type Condition, findConflict } from './model/find-conflict.ts'
import type { Allocation, Model, Solution } from './model/model.ts'
import { TimeLimitError } from './model/program.ts'
import { solveModel } from './model/solve-model.ts'
import { type Saving, savingOf } from './result/saving.ts'
import { allocationOfToday, type Simulated, simulate } from './result/simulate.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** Why a floor that is open cannot close as well. */
export type Binding =
  | { kind: 'capacity'; weekday: number; needed: number; left: number }
  | { kind: 'conditions'; weekday: number; conditions: Condition[] }
  /** It can, but the objective is not better for it. */
  | { kind: 'objective' }
  /** It was not found out in time. */
  | { kind: 'unknown' }

/** A scenario for which places were found. */
export interface FeasibleScenario {
  kind: 'feasible'
  allocation: Allocation
  gap: number
  /** The places that each team needs, by team and weekday. */
  needs: number[][]
  /** Of today's paths and places; of the changed paths with today's places; of the changed paths with the new ones. */
  before: Simulated
  changed: Simulated
  after: Simulated
  saving: Saving
  /** By floor; null for a floor that closes. */
  bindings: (Binding | null)[]
  /** The saving if everyone had a place on one more day in a hundred; null if that cannot be reached. */
  nextSaving: Saving | null
}

export interface InfeasibleScenario {
  kind: 'infeasible'
  weekday: number
  conditions: Condition[]
  needs: number[][]
  /** The highest service level for which places are found; null if there are none at all. */
  reachable: number | null
}

/** The shares of days for which places are tried. Teams are seldom all full at once, so less may suffice. */
const levels = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.965, 0.98, 0.99, 0.995, 1]
const gap = 0.005
/** Models that are solved until the level is found, about. */
const expectedSolves = 6
const bindingShare = 0.2

/**
 * Solves a scenario: changes the sample paths, finds the fewest places with which everyone has one on the promised
 * share of days, and who sits where.
 * @throws TimeLimitError if no places were found in time
 */
export function solveScenario(highs: Highs, input: ScenarioInput): FeasibleScenario | InfeasibleScenario {
  const endsAt = performance.now() + input.seconds * 1000
  const today: Demand = input.teams.map(({ paths }) => paths)
  const demand: Demand = input.teams.map((team) => changeDemand(team, input))
  const sorted = sortedByWeekday(demand, input)
  const seconds = (input.seconds * (1 - bindingShare)) / expectedSolves
  const tried = new Map<number, { solution: Solution | null; needs: number[][]; after: Simulated | null }>()
  const attempt = (at: number) => {
    const known = tried.get(at)
    if (known !== undefined) return known
    const needs = needsAt(sorted, input.teams, levels[at] ?? 1)
    const solution = solveModel(highs, modelOf(input, needs), { seconds, gap })
    const after = solution === null ? null : simulate(input, demand, solution.allocation)
    tried.set(at, { solution, needs, after })
    return { solution, needs, after }
  }
  const isKept = (at: number, level: number) => (attempt(at).after?.serviceLevel ?? 0) >= level
  const found = firstLevel(input.serviceLevel, attempt, isKept)
  if (found === null) {
    const infeasible = levels.findIndex((_, at) => attempt(at).solution === null)
    const { needs } = attempt(infeasible)
    const model = modelOf(input, needs)
    const weekday = input.weekdays.findIndex((_, day) => !canPlace(highs, model, day, seconds))
    const reachable = infeasible === 0 ? null : (attempt(infeasible - 1).after?.serviceLevel ?? null)
    return {
      kind: 'infeasible',
      weekday,
      needs,
      reachable,
      conditions: findConflict(highs, model, weekday, { seconds }),
    }
  }
  const { solution, needs, after } = attempt(found)
  if (solution === null || after === null) throw new Error('a level without places was chosen')
  const next = firstLevel(input.serviceLevel + 0.01, attempt, isKept)
  const nextOpen = next === null ? null : attempt(next).solution?.allocation.open
  return {
    ...{ kind: 'feasible', allocation: solution.allocation, gap: solution.gap, needs, after },
    before: simulate(input, today, allocationOfToday(input), { countsUnplaced: false }),
    changed: simulate(input, demand, allocationOfToday(input), { countsUnplaced: false }),
    saving: savingOf(input.floors, solution.allocation.open),
    bindings: input.floors.map((_, floor) =>
      solution.allocation.open.some((day) => day[floor])
        ? bindingOf(
            highs,
            withClosed(modelOf(input, needs), solution.allocation, floor),
            (endsAt - performance.now()) / 1000,
          )
        : null,
    ),
    nextSaving: nextOpen == null ? null : savingOf(input.floors, nextOpen),
  }
}

/** Returns the lowest of the levels at which places are found and the service level is kept; null if there is none. */
function firstLevel(
  serviceLevel: number,
  attempt: (at: number) => { solution: Solution | null },
  isKept: (at: number, level: number) => boolean,
): number | null {
  if (serviceLevel > 1) return null
  let [low, high] = [0, levels.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    // Where there are no places, more of them do not help.
    if (attempt(middle).solution === null || isKept(middle, serviceLevel)) high = middle
    else low = middle + 1
  }
  return low < levels.length && isKept(low, serviceLevel) ? low : null
}

function modelOf({ objective, weekdays, floors, teams }: ScenarioInput, needs: readonly number[][]): Model {
  return {
    ...{ objective, weekdayCount: weekdays.length },
    floors: floors.map(({ capacity, closed, annualCost, avoidableShare }) => ({
      ...{ capacity, closed },
      weekdayCost: ((annualCost ?? 0) * (avoidableShare ?? 0)) / weekdays.length,
    })),
    teams: teams.map(({ home, fixed, excluded, maxFloors, near }, at) => ({
      ...{ home, fixed, excluded, maxFloors, near, needs: needs[at] ?? [] },
    })),
  }
}

/** Returns the model of one weekday, in which any allocation will do. */
const anyOn = ({ floors, teams }: Model, day: number): Model => ({
  ...{ weekdayCount: 1, objective: 'least_moves' },
  floors: floors.map(({ capacity, closed }) => ({ capacity, closed: [closed[day] === true], weekdayCost: 0 })),
  teams: teams.map((team) => ({ ...team, home: null, near: [], needs: [team.needs[day] ?? 0] })),
})

const canPlace = (highs: Highs, model: Model, day: number, seconds: number): boolean =>
  solveModel(highs, anyOn(model, day), { seconds, gap: 1 }) !== null

/** Returns a model in which the floors without places stay closed, and one more is. */
const withClosed = (model: Model, { open }: Allocation, floor: number): Model => ({
  ...model,
  floors: model.floors.map((each, at) => ({
    ...each,
    closed: each.closed.map((isClosed, day) => isClosed || at === floor || open[day]?.[at] !== true),
  })),
})

function bindingOf(highs: Highs, closed: Model, seconds: number): Binding {
  for (let weekday = 0; weekday < closed.weekdayCount; weekday++) {
    const needed = closed.teams.reduce((sum, { needs }) => sum + (needs[weekday] ?? 0), 0)
    const left = closed.floors.reduce((sum, each) => sum + (each.closed[weekday] ? 0 : each.capacity), 0)
    if (needed > left) return { kind: 'capacity', weekday, needed, left }
  }
  try {
    for (let weekday = 0; weekday < closed.weekdayCount; weekday++) {
      if (seconds <= 0) return { kind: 'unknown' }
      if (!canPlace(highs, closed, weekday, seconds))
        return { kind: 'conditions', weekday, conditions: findConflict(highs, closed, weekday, { seconds }) }
    }
  } catch (error) {
    if (error instanceof TimeLimitError) return { kind: 'unknown' }
    throw error
  }
  return { kind: 'objective' }
}
