import type { Highs } from 'highs'
import { changeDemand, isRuled } from './demand/change-demand.ts'
import type { Demand } from './demand/needs.ts'
import { levels, type Plan, Planner } from './find-plan.ts'
import { findConflict, roomForAll } from './model/find-conflict.ts'
import { type Allocation, type Model, withOnly } from './model/model.ts'
import { TimeLimitError, threadSeconds } from './model/program.ts'
import { openFloors } from './model/solve-model.ts'
import { type Shortage, shortageOf } from './result/needed-places.ts'
import { type Saving, savingOf } from './result/saving.ts'
import { allocationOfToday, countKept, type Simulated, serviceLevelOf, simulate } from './result/simulate.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** Why a floor that is open cannot close as well. */
export type Binding =
  /** Without it, fewer days of a weekday than promised have a place for everyone. */
  | { kind: 'service_level'; weekday: number; reached: number; left: number }
  | { kind: 'conditions'; shortage: Shortage }
  /** It can, but the fewest people move with it. The other objectives close all that can close. */
  | { kind: 'objective' }
  /** It was not found out in time. */
  | { kind: 'unknown' }

/** The places that were found. */
export interface PlacedScenario {
  allocation: Allocation
  gap: number
  isCutShort: boolean
  /** The places that each team needs, by team and weekday. */
  needs: number[][]
  /** Of today's paths and places; of the changed paths with today's places; of the changed paths with the new ones. */
  before: Simulated
  changed: Simulated
  after: Simulated
  saving: Saving
  /** By floor; null for a floor that closes. */
  bindings: (Binding | null)[]
  /** The saving if everyone had a place on one more day in a hundred; null if that was not found. */
  nextSaving: Saving | null
}

/** The conditions that stand in the way of the service level. */
export interface Conflict {
  shortage: Shortage
  /** The service level with all floors open; null if the teams cannot be placed on them however few come. */
  reachable: number | null
}

/** One of both is null, or neither: less is kept today than promised, and places that are no worse were found. */
export interface ScenarioSolution {
  placed: PlacedScenario | null
  conflict: Conflict | null
}

const bindingShare = 0.2

/**
 * Solves a scenario: changes the sample paths, finds the floors with which everyone has a place on the promised share
 * of days, and who sits where.
 * @throws TimeLimitError if no places were found in time
 */
export function solveScenario(highs: Highs, input: ScenarioInput): ScenarioSolution {
  const endsAt = threadSeconds() + input.seconds
  const today: Demand = input.teams.map((team) => changeDemand({ ...team, growth: 1, attendance: {} }, input))
  const isChanged = input.teams.some(({ growth, attendance }) => growth !== 1 || isRuled(attendance))
  const demand: Demand = isChanged ? input.teams.map((team) => changeDemand(team, input)) : today
  const planner = new Planner(highs, input, demand, endsAt - input.seconds * bindingShare)
  const isReachable = serviceLevelOf(planner.best) >= input.serviceLevel
  // A scenario that asks for too much is refused; where it cannot be helped, places that are no worse are an answer.
  const plan = isReachable || !isKeptToday(input, today) ? planner.find(input.serviceLevel) : null
  const conflict = isReachable && plan !== null ? null : conflictOf(highs, input, planner, demand)
  if (plan === null) return { conflict, placed: null }
  const next = isReachable ? nextPlan(planner, input.serviceLevel + 0.01) : null
  const before = simulate(input, today, allocationOfToday(input), { countsUnplaced: false })
  const placed: PlacedScenario = {
    allocation: plan.allocation,
    gap: plan.gap,
    isCutShort: plan.isCutShort,
    needs: plan.needs,
    before,
    changed: isChanged ? simulate(input, demand, allocationOfToday(input), { countsUnplaced: false }) : before,
    after: simulate(input, demand, plan.allocation),
    saving: savingOf(input.floors, plan.allocation.open),
    bindings: input.floors.map((_, floor) =>
      plan.allocation.open.some((day) => day[floor])
        ? bindingOf(highs, input, { planner, plan, demand, floor, endsAt })
        : null,
    ),
    nextSaving: next === null ? null : savingOf(input.floors, next.allocation.open),
  }
  return { conflict, placed }
}

/** Returns true if the service level is kept with the paths of today and no floor closed. */
const isKeptToday = (input: ScenarioInput, today: Demand): boolean =>
  serviceLevelOf(allocationOfToday(input).open.map((open, weekday) => countKept(input, today, { weekday, open }))) >=
  input.serviceLevel

function nextPlan(planner: Planner, serviceLevel: number): Plan | null {
  try {
    return serviceLevel > 1 || serviceLevelOf(planner.best) < serviceLevel ? null : planner.find(serviceLevel)
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
}

/** Finds what stands in the way of the service level, on the weekday that misses it most. */
function conflictOf(highs: Highs, input: ScenarioInput, planner: Planner, demand: Demand): Conflict {
  const first = planner.firstInfeasible()
  const promised = levels.findIndex((each) => each >= input.serviceLevel)
  const level = first === null ? null : Math.max(first, promised)
  // Places are rounded to whole people: with many small teams, those of every level may be found, and not suffice.
  const needs = level === null ? planner.mostNeeds() : planner.needsAt(level)
  const model = planner.modelAt(level ?? 0, needs)
  const seconds = input.seconds / input.weekdays.length
  const keptOn = (day: number) => serviceLevelOf(planner.best.slice(day, day + 1))
  const weekday = [...input.weekdays.keys()]
    .sort((a, b) => keptOn(a) - keptOn(b))
    .find((day) => openFloors(highs, anyOn(model, day), { seconds, gap: 1 }) === null)
  if (weekday === undefined) throw new TimeLimitError()
  // A team that no floor is open to is the reason, however few places there are.
  const roomy = { ...model, floors: model.floors.map((floor) => ({ ...floor, capacity: roomForAll })) }
  const isOfWishes = openFloors(highs, anyOn(roomy, weekday), { seconds, gap: 1 }) === null
  const conditions = findConflict(highs, isOfWishes ? roomy : model, weekday, { seconds })
  const shares = [input.serviceLevel, levels[level ?? levels.length] ?? 1, 1]
  const isDivided = conditions.some(({ kind }) => kind === 'max_floors')
  return {
    shortage: shortageOf(input, demand, { model, weekday, conditions, shares }),
    reachable: first === 0 && isDivided ? null : serviceLevelOf(planner.best),
  }
}

/** Returns the model of one weekday, in which any allocation will do. */
const anyOn = ({ floors, teams }: Model, day: number): Model => ({
  weekdayCount: 1,
  objective: 'least_moves',
  floors: floors.map(({ capacity, closed }) => ({ capacity, closed: [closed[day] === true], weekdayCost: 0 })),
  teams: teams.map((team) => ({ ...team, home: null, near: [], needs: [team.needs[day] ?? 0] })),
})

/** Finds the weekday on which a floor is missed most. */
function bindingOf(
  highs: Highs,
  input: ScenarioInput,
  of: { planner: Planner; plan: Plan; demand: Demand; floor: number; endsAt: number },
): Binding {
  const { planner, plan, demand, floor, endsAt } = of
  let worst: Extract<Binding, { kind: 'service_level' }> | null = null
  const openDays = [...input.weekdays.keys()].filter((day) => plan.allocation.open[day]?.[floor])
  for (const day of openDays) {
    if (threadSeconds() > endsAt) return worst ?? { kind: 'unknown' }
    const { share: reached, isKept, places } = planner.without(floor, day, plan)
    if (!isKept && (worst === null || reached < worst.reached))
      worst = { kind: 'service_level', weekday: day, reached, left: places }
  }
  if (worst !== null) return worst
  try {
    for (const day of openDays) {
      const seconds = endsAt - threadSeconds()
      if (seconds <= 0) return { kind: 'unknown' }
      const model = planner.modelAt(0)
      const open = (plan.allocation.open[day] ?? []).map((isOpen, at) => isOpen && at !== floor)
      const closed = withOnly(model, open)
      if (openFloors(highs, anyOn(closed, day), { seconds, gap: 1 }) !== null) continue
      const conditions = findConflict(highs, closed, day, { seconds })
      const shares = [input.serviceLevel, 1]
      return {
        kind: 'conditions',
        shortage: shortageOf(input, demand, { model: closed, weekday: day, conditions, shares }),
      }
    }
  } catch (error) {
    if (error instanceof TimeLimitError) return { kind: 'unknown' }
    throw error
  }
  return { kind: input.objective === 'least_moves' ? 'objective' : 'unknown' }
}
