import type { Closing } from './model/place-week.ts'
import type { KeptDays } from './result/simulate.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** A search of floors with which a service level is kept. */
export interface FloorSearch {
  /** `mayOpen[weekday][floor]` */
  mayOpen: readonly (readonly boolean[])[]
  /** The cost of a weekday on which a floor is open. */
  costs: readonly number[]
  /** Simulates a weekday; where it keeps less than a share of its days, it is enough to know that. */
  dayOf: (weekday: number, open: readonly boolean[], least?: number) => KeptDays
  /** Returns the share of its days that a weekday must keep. */
  leastOf: (weekday: number) => number
  isKept: (week: readonly KeptDays[]) => boolean
  hasTime: () => boolean
}

export const shareOf = (day: KeptDays | undefined): number =>
  day === undefined || day.days === 0 ? 1 : day.kept / day.days

/**
 * Closes floors as long as the service level is kept: the most costly first, of equal ones that which is closed on
 * most weekdays, and of its weekdays first those on which it is missed least.
 * @returns what it closed, in this order
 */
export function closeFloors(
  { dayOf, leastOf, isKept, hasTime }: FloorSearch,
  open: boolean[][],
  { floors, objective }: Pick<ScenarioInput, 'floors' | 'objective'>,
): Closing[] {
  const costOf = (floor: number) => {
    const { annualCost, avoidableShare, capacity } = floors[floor] ?? {}
    return objective === 'lowest_cost' ? (annualCost ?? 0) * (avoidableShare ?? 0) : -(capacity ?? 0)
  }
  const openDays = (floor: number) => open.filter((ofDay) => ofDay[floor]).length
  const order = [...floors.keys()].sort((a, b) => costOf(b) - costOf(a) || openDays(a) - openDays(b) || b - a)
  const closed: Closing[] = []
  let week: readonly KeptDays[] = open.map((ofDay, day) => dayOf(day, ofDay))
  for (const floor of order) {
    if (!hasTime()) break
    const candidates = open.flatMap((ofDay, day) => {
      if (!ofDay[floor]) return []
      const without = ofDay.with(floor, false)
      return [{ day, without, simulated: dayOf(day, without, leastOf(day)) }]
    })
    for (const { day, without, simulated } of candidates.sort((a, b) => shareOf(b.simulated) - shareOf(a.simulated))) {
      const next = week.with(day, simulated)
      if (!isKept(next)) continue
      week = next
      open[day] = without
      closed.push({ floor, day })
    }
  }
  return closed
}

/**
 * Opens a floor in place of a more costly one, on a weekday or on all, as long as the service level is kept: fewer
 * places may suffice than those of the level.
 * @returns what it closed, in this order
 */
export function exchangeFloors(
  { mayOpen, costs, dayOf, leastOf, isKept, hasTime }: FloorSearch,
  open: boolean[][],
  costOfPlan: (open: boolean[][]) => number,
): Closing[] {
  const days = [...open.keys()]
  const closed: Closing[] = []
  let week: readonly KeptDays[] = open.map((ofDay, day) => dayOf(day, ofDay))
  for (const floor of costs.keys())
    for (const other of costs.keys())
      for (const among of [days, ...days.map((day) => [day])]) {
        if (!hasTime()) return closed
        const changed = among.filter((day) => open[day]?.[floor] && !open[day][other] && mayOpen[day]?.[other])
        const next = open.map((ofDay, day) =>
          changed.includes(day) ? ofDay.with(floor, false).with(other, true) : ofDay,
        )
        if (changed.length === 0 || costOfPlan(next) >= costOfPlan(open) - 1e-6) continue
        const simulated = week.map((day, at) => (changed.includes(at) ? dayOf(at, next[at] ?? [], leastOf(at)) : day))
        if (!isKept(simulated)) continue
        week = simulated
        for (const day of changed) {
          open[day] = next[day] ?? []
          closed.push({ floor, day })
        }
      }
  return closed
}

/** Returns the floors that could open beside those that are open, the cheapest last. */
export function closedFloors({ mayOpen, costs }: FloorSearch, open: readonly boolean[][]): Closing[] {
  return open.flatMap((ofDay, day) =>
    ofDay
      .flatMap((isOpen, floor) => (isOpen || !mayOpen[day]?.[floor] ? [] : [{ floor, day }]))
      .sort((one, other) => (costs[other.floor] ?? 0) - (costs[one.floor] ?? 0)),
  )
}
