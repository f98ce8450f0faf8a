import type { Demand } from '../demand/needs.ts'
import type { Allocation } from '../model/model.ts'
import type { ScenarioInput } from '../scenario-input.ts'

/** The days of the sample paths if teams sit as an allocation says. */
export interface Simulated {
  /** The share of days on which everyone has a place, and that of each weekday. */
  serviceLevel: number
  byWeekday: number[]
  /** People without a place, on average over all days. */
  withoutPlace: number
  /** The mean number of people by floor and weekday. */
  load: number[][]
}

/**
 * Simulates an allocation. A team on several floors divides among them as its places do; a floor is too full if more
 * people sit on it than it has places.
 *
 * @param countsUnplaced people of a team without any place on the weekday have none; otherwise they are left out
 */
export function simulate(
  { weekdays, weekdayOf, pathCount, floors }: ScenarioInput,
  demand: Demand,
  { seats }: Allocation,
  { countsUnplaced = true }: { countsUnplaced?: boolean } = {},
): Simulated {
  const shares = seats.map((ofDay) => ofDay.map(sharesOf))
  const days = weekdays.map(() => 0)
  const kept = weekdays.map(() => 0)
  const load = floors.map(() => weekdays.map(() => 0))
  let withoutPlace = 0
  const onFloor = new Float64Array(floors.length * pathCount)
  for (const [day, weekday] of weekdayOf.entries()) {
    if (weekday < 0) continue
    onFloor.fill(0)
    for (const [team, people] of demand.entries())
      for (const { floor, share } of shares[weekday]?.[team] ?? [])
        for (let path = 0; path < pathCount; path++) {
          const at = floor * pathCount + path
          onFloor[at] = (onFloor[at] ?? 0) + share * (people[day * pathCount + path] ?? 0)
        }
    const unplaced = demand.filter((_, team) => countsUnplaced && (shares[weekday]?.[team] ?? []).length === 0)
    for (let path = 0; path < pathCount; path++) {
      let missing = 0
      for (const people of unplaced) {
        const present = people[day * pathCount + path] ?? 0
        if (present > 0.5) missing += present
      }
      for (const [floor, { capacity }] of floors.entries()) {
        const there = onFloor[floor * pathCount + path] ?? 0
        const own = load[floor]
        if (own) own[weekday] = (own[weekday] ?? 0) + there
        // As for needs, half a person is rounding.
        if (there > capacity + 0.5) missing += there - capacity
      }
      days[weekday] = (days[weekday] ?? 0) + 1
      if (missing === 0) kept[weekday] = (kept[weekday] ?? 0) + 1
      withoutPlace += missing
    }
  }
  const all = days.reduce((sum, count) => sum + count, 0)
  return {
    serviceLevel: all === 0 ? 1 : kept.reduce((sum, count) => sum + count, 0) / all,
    byWeekday: days.map((count, weekday) => (count === 0 ? 1 : (kept[weekday] ?? 0) / count)),
    withoutPlace: all === 0 ? 0 : withoutPlace / all,
    load: load.map((ofFloor) => ofFloor.map((sum, weekday) => (days[weekday] ? sum / (days[weekday] ?? 1) : 0))),
  }
}

function sharesOf(places: readonly number[]): { floor: number; share: number }[] {
  const sum = places.reduce((all, count) => all + count, 0)
  return places.flatMap((count, floor) => (count > 0 ? [{ floor, share: count / sum }] : []))
}

/** Returns the allocation of today: each team on its own floor. Teams whose floor is not known have no place in it. */
export const allocationOfToday = ({ weekdays, teams, floors }: ScenarioInput): Allocation => ({
  seats: weekdays.map(() => teams.map(({ home }) => floors.map((_, floor) => (floor === home ? 1 : 0)))),
  open: weekdays.map(() => floors.map(() => true)),
})
