import type { Highs } from 'highs'
import { type Demand, needsAt, sortedByWeekday } from './demand/needs.ts'
import { type Allocation, type Model, objectiveOf } from './model/model.ts'
import { type Closing, placesOn, placeWeek } from './model/place-week.ts'
import { type OpenedFloors, openFloors } from './model/solve-model.ts'
import { countKept, type KeptDays, type SimulatedDay, serviceLevelOf, simulateDay } from './result/simulate.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** Who sits where, with which the service level is kept. */
export interface Plan {
  allocation: Allocation
  gap: number
  /** The places that each team needs, by team and weekday. */
  needs: number[][]
  /** The days of the sample paths with it. */
  week: SimulatedDay[]
}

/** The shares of days for which places are tried. Teams are seldom all full at once, so less may suffice. */
export const levels = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.965, 0.98, 0.99, 0.995, 1]
const gap = 0.005
/** The share of the time that is left for one program of many. */
const solveShare = 0.25
const leastSeconds = 0.5
/** The share of it for the places of a whole week. */
const placeShare = 0.6

/**
 * Finds plans for service levels. First which floors open: the places of a level are enough for each team on that share
 * of its days; the lowest level is taken with which the paths keep the service level. Then more floors close, one by
 * one, as long as it is kept. At last the teams are placed on the floors that are open, with the highest level that they
 * have room for.
 */
export class Planner {
  readonly #highs: Highs
  readonly #input: ScenarioInput
  readonly #demand: Demand
  readonly #sorted: Float32Array[][]
  readonly #endsAt: number
  readonly #opened = new Map<number, { opened: OpenedFloors; week: KeptDays[] } | null>()
  readonly #everyFloor: boolean[][]
  /** The days of the paths with all floors open that the scenario does not close. */
  readonly best: readonly KeptDays[]

  /** @param endsAt when plans must be found, by `performance.now()` */
  constructor(highs: Highs, input: ScenarioInput, demand: Demand, endsAt: number) {
    this.#highs = highs
    this.#input = input
    this.#demand = demand
    this.#endsAt = endsAt
    this.#sorted = sortedByWeekday(demand, input)
    this.#everyFloor = input.weekdays.map((_, day) => input.floors.map(({ closed }) => closed[day] !== true))
    this.best = this.#weekOf(this.#everyFloor)
  }

  /** Returns the places of a level, by team and weekday. */
  needsAt(level: number): number[][] {
    return needsAt(this.#sorted, this.#input.teams, levels[level] ?? 1)
  }

  /** Returns the program of the places of a level. */
  modelAt(level: number): Model {
    const { objective, weekdays, floors, teams } = this.#input
    const needs = this.needsAt(level)
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

  /** Returns the first level whose places cannot be found; null if those of all can. */
  firstInfeasible(): number | null {
    let [low, high] = [0, levels.length]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#open(middle) === null) high = middle
      else low = middle + 1
    }
    return low < levels.length ? low : null
  }

  /**
   * Returns a plan with which everyone has a place on a share of the days; null if there is none. No weekday is below
   * that share that would not be with all floors open.
   * @throws TimeLimitError if the floors that open were not found in time
   */
  find(serviceLevel: number): Plan | null {
    if (serviceLevel > 1 || serviceLevelOf(this.best) < serviceLevel) return null
    const level = this.#lowestLevel(serviceLevel)
    if (level === null) return null
    const start = this.#open(level)
    if (start === null) return null
    // Between two levels the floors that open may not suffice: the weekdays that are not kept open all.
    const open = start.opened.open.map((floors, day) =>
      this.#isKept(start.week[day], day, serviceLevel) ? floors.slice() : (this.#everyFloor[day]?.slice() ?? []),
    )
    const closings = this.#closeMore(open, serviceLevel)
    const highest = levels.findIndex((each) => each >= serviceLevel)
    const models = levels.slice(0, highest + 1).map((_, at) => this.modelAt(at))
    const { seats, needs } = placeWeek(this.#highs, models, {
      ...{ open, closings, gap, secondsLeft: () => this.#left() * placeShare },
    })
    const allocation = { seats, open }
    return {
      ...{ allocation, needs, gap: this.#gapOf(allocation, start.opened) },
      week: open.map((floors, weekday) =>
        simulateDay(this.#input, this.#demand, { weekday, open: floors, seats: seats[weekday] ?? [] }),
      ),
    }
  }

  /** Returns a weekday of a plan without one of its floors, and the places that are left. */
  without(floor: number, day: number, { allocation }: Plan): { simulated: KeptDays; isKept: boolean; places: number } {
    const open = (allocation.open[day] ?? []).map((isOpen, at) => isOpen && at !== floor)
    const simulated = this.#dayOf(day, open)
    return {
      simulated,
      isKept: this.#isKept(simulated, day, this.#input.serviceLevel),
      places: placesOn(this.#input.floors, open),
    }
  }

  /** Returns the lowest level that keeps the service level, or else the highest whose places are found. */
  #lowestLevel(serviceLevel: number): number | null {
    let [low, high] = [0, levels.length]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const tried = this.#open(middle)
      // Where there are no places, more of them do not help.
      if (tried === null || tried.week.every((day, at) => this.#isKept(day, at, serviceLevel))) high = middle
      else low = middle + 1
    }
    if (low < levels.length && this.#open(low) !== null) return low
    return low === 0 ? null : low - 1
  }

  #open(level: number): { opened: OpenedFloors; week: KeptDays[] } | null {
    const known = this.#opened.get(level)
    if (known !== undefined) return known
    const opened = openFloors(this.#highs, this.modelAt(level), { seconds: this.#left() * solveShare, gap })
    const tried = opened === null ? null : { opened, week: this.#weekOf(opened.open) }
    this.#opened.set(level, tried)
    return tried
  }

  #isKept(simulated: KeptDays | undefined, day: number, serviceLevel: number): boolean {
    const best = this.best[day]
    if (simulated === undefined || best === undefined) return false
    return simulated.kept >= Math.min(serviceLevel * best.days, best.kept)
  }

  #dayOf(weekday: number, open: readonly boolean[]): KeptDays {
    return countKept(this.#input, this.#demand, { weekday, open })
  }

  /** Returns the seconds that are left. */
  #left(): number {
    return Math.max(leastSeconds, (this.#endsAt - performance.now()) / 1000)
  }

  #weekOf(open: readonly (readonly boolean[])[]): KeptDays[] {
    return open.map((floors, day) => this.#dayOf(day, floors))
  }

  /** Closes floors as long as the service level is kept, the most costly first. @returns what it closed, in this order */
  #closeMore(open: boolean[][], serviceLevel: number): Closing[] {
    const { floors, objective } = this.#input
    if (objective === 'least_moves') return []
    const costOf = (floor: number) => {
      const { annualCost, avoidableShare, capacity } = floors[floor] ?? {}
      return objective === 'lowest_cost' ? (annualCost ?? 0) * (avoidableShare ?? 0) : -(capacity ?? 0)
    }
    const closed: Closing[] = []
    const order = [...floors.keys()].sort((a, b) => costOf(b) - costOf(a))
    for (const floor of order)
      for (const [day, ofDay] of open.entries()) {
        if (!ofDay[floor]) continue
        ofDay[floor] = false
        if (this.#isKept(this.#dayOf(day, ofDay), day, serviceLevel)) closed.push({ floor, day })
        else ofDay[floor] = true
      }
    return closed
  }

  /** The objective of floors that closed beside the program is compared with the bound of the program. */
  #gapOf(allocation: Allocation, { value: solved, gap }: OpenedFloors): number {
    if (this.#input.objective === 'least_moves') return gap
    const value = objectiveOf(this.modelAt(0), allocation)
    const bound = solved * (1 - gap)
    return value <= bound ? 0 : (value - bound) / value
  }
}
