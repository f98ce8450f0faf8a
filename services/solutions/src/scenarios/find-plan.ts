import type { Highs } from 'highs'
import { cheapestWeek } from './cheapest-week.ts'
import { closedFloors, closeFloors, exchangeFloors, type FloorSearch, shareOf } from './close-floors.ts'
import { type Demand, needsAt, sortedByWeekday } from './demand/needs.ts'
import { type Allocation, type Model, objectiveOf } from './model/model.ts'
import { type Closing, placesOn, placeWeek } from './model/place-week.ts'
import { TimeLimitError, threadSeconds } from './model/program.ts'
import { type OpenedFloors, openFloors } from './model/solve-model.ts'
import { countKept, type KeptDays, serviceLevelOf } from './result/simulate.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** Floors and places with which the service level is kept. */
export interface Plan {
  allocation: Allocation
  gap: number
  /** The places that each team needs, by team and weekday. */
  needs: number[][]
  /** The days of the sample paths with it. */
  week: KeptDays[]
  /** True if the time ended before teams were placed on floors that may be better. */
  isCutShort: boolean
}

/** The shares of days for which places are tried. Teams are seldom all full at once, so less may suffice. */
export const levels = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.965, 0.98, 0.99, 0.995, 1]
const gap = 0.005
/** The share of the time that is left for one program of many. */
const solveShare = 0.25
const leastSeconds = 0.5
/** No weekday is missed more often than all days together may be, times this. */
const worstWeekday = 2
/** The share of it for the places of a whole week. */
const placeShare = 0.6

/**
 * Finds plans for service levels. First which floors open: the places of a level are enough for each team on that share
 * of its days; the lowest level is taken with which the paths keep the service level. Then more floors close, one by
 * one, and cheaper ones open in place of others, as long as it is kept; where all sets of floors can be tried, the
 * cheapest of them opens. At last the teams are placed on the floors that are open, with the highest level that they
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

  /** @param endsAt when plans must be found, by `threadSeconds` */
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

  /** Returns the most places of each team, by team and weekday, with parts of a person rounded up. */
  mostNeeds(): number[][] {
    return needsAt(this.#sorted, this.#input.teams, 1, Math.ceil)
  }

  /** Returns the program of the places of a level, or of other needs. */
  modelAt(level: number, needs = this.needsAt(level)): Model {
    const { objective, weekdays, floors, teams } = this.#input
    return {
      objective,
      weekdayCount: weekdays.length,
      floors: floors.map(({ capacity, closed, shut, annualCost, avoidableShare }) => ({
        capacity,
        closed,
        // A floor that its hours close on all weekdays costs nothing more for being open.
        weekdayCost: ((annualCost ?? 0) * (avoidableShare ?? 0)) / Math.max(1, shut.filter((isShut) => !isShut).length),
      })),
      teams: teams.map((team, at) => ({ ...team, needs: needs[at] ?? [] })),
    }
  }

  /** Returns the first level whose places cannot be found; null if those of all can. */
  firstInfeasible(): number | null {
    const first = firstLevel((level) => this.#open(level) === null)
    return first < levels.length ? first : null
  }

  /**
   * Returns the plan that keeps a service level at the smallest objective: everyone has a place on that share of all
   * days, and no weekday is missed more than twice as often, unless it would be with all floors open. If the level
   * cannot be reached, no weekday is worse than that level or than with all floors open.
   * @returns null if the teams cannot be placed at all
   * @throws TimeLimitError if no floors were found in time
   */
  find(serviceLevel: number): Plan | null {
    const level = this.#lowestLevel(serviceLevel)
    const start = level === null ? null : this.#open(level)
    if (start === null) return null
    // Between two levels the floors that open may not suffice: the weekdays that are not kept open all.
    const isEnough = this.#isKept(start.week, serviceLevel)
    const opened = start.opened.open.map((floors, day) =>
      isEnough || shareOf(start.week[day]) >= Math.min(serviceLevel, shareOf(this.best[day]))
        ? floors.slice()
        : (this.#everyFloor[day]?.slice() ?? []),
    )
    // Weekdays that each keep it may not keep it together, where others miss it with all floors open.
    const open =
      isEnough || this.#isKept(this.#weekOf(opened), serviceLevel)
        ? opened
        : this.#everyFloor.map((floors) => floors.slice())
    const highest = levels.findIndex((each) => each >= serviceLevel)
    const models = levels.slice(0, highest + 1).map((_, at) => this.modelAt(at))
    const planOf = (allocation: Allocation, needs: number[][]) => ({
      allocation,
      needs,
      value: objectiveOf(this.modelAt(0), allocation),
    })
    let isCutShort = false
    const place = (floors: boolean[][], closings: readonly Closing[]) => {
      const secondsLeft = () => this.#left() * placeShare
      try {
        const { seats, needs } = placeWeek(this.#highs, models, { open: floors, closings, gap, secondsLeft })
        return planOf({ seats, open: floors }, needs)
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error
        isCutShort = true
        return null
      }
    }
    // The floors are changed by the search below.
    const first = planOf(
      { seats: start.opened.seats, open: open.map((floors) => floors.slice()) },
      this.needsAt(level ?? 0),
    )
    const search = this.#searchOf(serviceLevel, threadSeconds() + this.#left() * (1 - placeShare))
    const cheapest = this.#cheapestWeek(search)
    let placed =
      cheapest === null
        ? null
        : place(
            cheapest.open.map((ofDay) => ofDay.slice()),
            closedFloors(search, cheapest.open),
          )
    // Where not all teams found places on the cheapest floors, the others may have them on fewer.
    const least = cheapest && objectiveOf(this.modelAt(0), { open: cheapest.open, seats: [] })
    if (placed === null || placed.value > (least ?? 0) + 1e-3) {
      const closings = this.#input.objective === 'least_moves' ? [] : this.#closeMore(open, serviceLevel, search)
      const other = place(open, closings)
      if (placed === null || (other !== null && other.value < placed.value)) placed = other
    }
    const { allocation, needs } = placed ?? first
    const bound = least === null ? start.opened : { value: least, gap: 0 }
    return { allocation, needs, gap: this.#gapOf(allocation, bound), week: this.#weekOf(allocation.open), isCutShort }
  }

  /** Returns a weekday of a plan without one of its floors, and the places that are left. */
  without(floor: number, day: number, { allocation, week }: Plan): { share: number; isKept: boolean; places: number } {
    const open = (allocation.open[day] ?? []).map((isOpen, at) => isOpen && at !== floor)
    const simulated = this.#dayOf(day, open)
    return {
      share: shareOf(simulated),
      places: placesOn(this.#input.floors, open),
      isKept: this.#isKept(week.with(day, simulated), this.#input.serviceLevel),
    }
  }

  /** Returns the floors of the lowest cost, or the fewest, where all sets of floors can be tried. */
  #cheapestWeek(search: FloorSearch) {
    const { objective } = this.#input
    if (objective === 'least_moves') return null
    const isFewest = objective === 'fewest_floors'
    return cheapestWeek(isFewest ? { ...search, costs: search.costs.map(() => 1) } : search, isFewest)
  }

  #searchOf(serviceLevel: number, until: number): FloorSearch {
    return {
      mayOpen: this.#everyFloor,
      costs: this.modelAt(0).floors.map(({ weekdayCost }) => weekdayCost),
      dayOf: (weekday, open, least) => this.#dayOf(weekday, open, least),
      leastOf: (weekday) => this.#leastOf(weekday, serviceLevel),
      isKept: (week) => this.#isKept(week, serviceLevel),
      hasTime: () => threadSeconds() < until,
    }
  }

  /** Closes floors and exchanges others as long as the service level is kept; returns what it closed, in order. */
  #closeMore(open: boolean[][], serviceLevel: number, search: FloorSearch): Closing[] {
    const { floors, objective } = this.#input
    const model = this.modelAt(0)
    return [
      ...closeFloors(this.#searchOf(serviceLevel, this.#endsAt), open, { floors, objective }),
      ...exchangeFloors(search, open, (of) => objectiveOf(model, { open: of, seats: [] })),
    ]
  }

  #isKept(week: readonly KeptDays[], serviceLevel: number): boolean {
    const isReachable = serviceLevelOf(this.best) >= serviceLevel
    return (
      (!isReachable || serviceLevelOf(week) >= serviceLevel) &&
      week.every((day, at) => shareOf(day) >= this.#leastOf(at, serviceLevel))
    )
  }

  /** Returns the share of its days that a weekday must keep. */
  #leastOf(weekday: number, serviceLevel: number): number {
    const isReachable = serviceLevelOf(this.best) >= serviceLevel
    const least = isReachable ? 1 - worstWeekday * (1 - serviceLevel) : serviceLevel
    return Math.min(least, shareOf(this.best[weekday]))
  }

  /** Returns the lowest level that keeps the service level, or else the highest whose places are found. */
  #lowestLevel(serviceLevel: number): number | null {
    const first = firstLevel((level) => {
      const tried = this.#open(level)
      // Where there are no places, more of them do not help.
      return tried === null || this.#isKept(tried.week, serviceLevel)
    })
    if (first < levels.length && this.#open(first) !== null) return first
    return first === 0 ? null : first - 1
  }

  #open(level: number): { opened: OpenedFloors; week: KeptDays[] } | null {
    const known = this.#opened.get(level)
    if (known !== undefined) return known
    const opened = openFloors(this.#highs, this.modelAt(level), { seconds: this.#left() * solveShare, gap })
    const tried = opened === null ? null : { opened, week: this.#weekOf(opened.open) }
    this.#opened.set(level, tried)
    return tried
  }

  /** @param least the share of days below which it is enough to know that it is less */
  #dayOf(weekday: number, open: readonly boolean[], least = 0): KeptDays {
    const { weekdayOf, pathCount } = this.#input
    const mostMissed = (1 - least) * weekdayOf.filter((of) => of === weekday).length * pathCount + 1e-6
    return countKept(this.#input, this.#demand, { weekday, open, mostMissed })
  }

  /** Returns the seconds that are left. */
  #left(): number {
    return Math.max(leastSeconds, this.#endsAt - threadSeconds())
  }

  #weekOf(open: readonly (readonly boolean[])[]): KeptDays[] {
    return open.map((floors, day) => this.#dayOf(day, floors))
  }

  /** The objective of floors that closed beside the program is compared with the bound of the program. */
  #gapOf(allocation: Allocation, { value: solved, gap }: Pick<OpenedFloors, 'value' | 'gap'>): number {
    if (this.#input.objective === 'least_moves') return gap
    const value = objectiveOf(this.modelAt(0), allocation)
    const bound = solved * (1 - gap)
    return value <= bound + 1e-3 ? 0 : (value - bound) / value
  }
}

/** Returns the first level of which something is true that is true of all higher ones; their number if of none. */
function firstLevel(isTrue: (level: number) => boolean): number {
  let [low, high] = [0, levels.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}
