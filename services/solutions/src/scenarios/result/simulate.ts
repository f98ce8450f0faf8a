import type { Demand } from '../demand/needs.ts'
import { type Allocation, mayUse } from '../model/model.ts'
import type { ScenarioInput } from '../scenario-input.ts'
import { createMissing } from './missing-places.ts'
import { createSeating, type SeatedTeam } from './seat-people.ts'

/** The days of one weekday in the sample paths. */
export interface KeptDays {
  days: number
  /** Days on which everyone has a place. */
  kept: number
}

/** The days of one weekday in the sample paths, if teams sit as an allocation says. */
export interface SimulatedDay extends KeptDays {
  /** People without a place, and people on a floor that their team has no places on, over all days. */
  withoutPlace: number
  elsewhere: number
  /** The people planned on each floor, over all days. */
  load: number[]
  /** The people of all teams, also of those without a place, over all days. */
  people: number
}

/** The days of the sample paths if teams sit as an allocation says. */
export interface Simulated {
  /** The share of days on which everyone has a place, and that of each weekday. */
  serviceLevel: number
  byWeekday: number[]
  /** People without a place, on average over all days. */
  withoutPlace: number
  /** People who find the floors of their team full and sit on another one, on average over all days. */
  elsewhere: number
  /** The mean number of people planned on each floor, by floor and weekday. */
  load: number[][]
  /** The mean number of people of all teams by weekday. */
  people: number[]
}

export interface SimulationOptions {
  /** False: teams without any place on the weekday are left out. */
  countsUnplaced?: boolean
}

/** Simulates all weekdays of an allocation. */
export function simulate(
  input: ScenarioInput,
  demand: Demand,
  { seats, open }: Allocation,
  options: SimulationOptions = {},
): Simulated {
  return sumOf(
    input.weekdays.map((_, weekday) =>
      simulateDay(input, demand, { weekday, seats: seats[weekday] ?? [], open: open[weekday] ?? [] }, options),
    ),
  )
}

/**
 * Simulates a weekday. The people of a team divide among its floors as its places do; those who find their floor full
 * sit on any other that is open and that their team may use. Whether a day is kept also depends on the places that a
 * team keeps free.
 */
function simulateDay(
  { weekdayOf, pathCount, floors, teams }: ScenarioInput,
  demand: Demand,
  { weekday, seats, open }: { weekday: number; seats: readonly (readonly number[])[]; open: readonly boolean[] },
  { countsUnplaced = true }: SimulationOptions = {},
): SimulatedDay {
  const seated = teams.map((team, at): SeatedTeam => {
    const planned = sharesOf(seats[at] ?? [])
    return { planned, allowed: [...floors.keys()].filter((floor) => open[floor] && mayUse(team, floor)) }
  })
  const counted = seated.map(({ planned }) => countsUnplaced || planned.length > 0)
  const capacities = floors.map(({ capacity }) => capacity)
  const seat = createSeating(seated, capacities)
  const result: SimulatedDay = { days: 0, kept: 0, withoutPlace: 0, elsewhere: 0, load: floors.map(() => 0), people: 0 }
  const reserve = teams.map(({ contingency }) => 1 + contingency)
  const hasReserve = reserve.some((factor) => factor > 1)
  const people = new Float64Array(teams.length)
  const places = new Float64Array(teams.length)
  const sums = new Float64Array(teams.length)
  for (const [day, of] of weekdayOf.entries()) {
    if (of !== weekday) continue
    for (let path = 0; path < pathCount; path++) {
      for (const [team, values] of demand.entries()) {
        const expected = values[day * pathCount + path] ?? 0
        const present = counted[team] ? expected : 0
        result.people += expected
        people[team] = present
        places[team] = present * (reserve[team] ?? 1)
        sums[team] = (sums[team] ?? 0) + present
      }
      const needed = seat(places)
      const found = hasReserve && needed.withoutPlace + needed.elsewhere > 0 ? seat(people) : needed
      result.days++
      if (needed.withoutPlace <= rounding) result.kept++
      if (found.withoutPlace > rounding) result.withoutPlace += found.withoutPlace
      result.elsewhere += found.elsewhere
    }
  }
  for (const [team, { planned, allowed }] of seated.entries())
    for (const { floor, share } of planned.length > 0 ? planned : sharesByCapacity(allowed, floors))
      result.load[floor] = (result.load[floor] ?? 0) + share * (sums[team] ?? 0)
  return result
}

/**
 * Returns the days of a weekday, and those on which everyone has a place if only some floors are open.
 * @param mostMissed ends the count where more days than these are missed; `kept` is then too high, but too low to do
 */
export function countKept(
  { weekdayOf, pathCount, floors, teams }: ScenarioInput,
  demand: Demand,
  { weekday, open, mostMissed = Infinity }: { weekday: number; open: readonly boolean[]; mostMissed?: number },
): KeptDays {
  const missing = createMissing(
    teams.map((team) => [...floors.keys()].filter((floor) => open[floor] && mayUse(team, floor))),
    floors.map(({ capacity }) => capacity),
  )
  const places = new Float64Array(teams.length)
  const days = weekdayOf.filter((of) => of === weekday).length * pathCount
  let missed = 0
  for (const [day, of] of weekdayOf.entries()) {
    if (of !== weekday) continue
    for (let path = 0; path < pathCount && missed <= mostMissed; path++) {
      for (let team = 0; team < teams.length; team++)
        places[team] = (demand[team]?.[day * pathCount + path] ?? 0) * (1 + (teams[team]?.contingency ?? 0))
      if (missing(places) > rounding) missed++
    }
  }
  return { days, kept: days - missed }
}

/** Half a person is the rounding of a forecast, as for needs. */
const rounding = 0.5

/** Returns the figures of a week from those of its days. */
function sumOf(week: readonly SimulatedDay[]): Simulated {
  const total = (value: (day: SimulatedDay) => number) => week.reduce((sum, day) => sum + value(day), 0)
  const days = total((day) => day.days)
  return {
    serviceLevel: serviceLevelOf(week),
    byWeekday: week.map((day) => (day.days === 0 ? 1 : day.kept / day.days)),
    withoutPlace: days === 0 ? 0 : total((day) => day.withoutPlace) / days,
    elsewhere: days === 0 ? 0 : total((day) => day.elsewhere) / days,
    load: (week[0]?.load ?? []).map((_, floor) =>
      week.map((day) => (day.days === 0 ? 0 : (day.load[floor] ?? 0) / day.days)),
    ),
    people: week.map((day) => (day.days === 0 ? 0 : day.people / day.days)),
  }
}

/** Returns the share of the days of a week on which everyone has a place; 1 if it has no days. */
export function serviceLevelOf(week: readonly KeptDays[]): number {
  const days = week.reduce((sum, day) => sum + day.days, 0)
  return days === 0 ? 1 : week.reduce((sum, day) => sum + day.kept, 0) / days
}

function sharesOf(places: readonly number[]): { floor: number; share: number }[] {
  const sum = places.reduce((all, count) => all + count, 0)
  return places.flatMap((count, floor) => (count > 0 ? [{ floor, share: count / sum }] : []))
}

/** The few people of a team without places of its own sit where there are places, so that each counts on a floor. */
function sharesByCapacity(allowed: readonly number[], floors: ScenarioInput['floors']): SeatedTeam['planned'] {
  const sum = allowed.reduce((all, floor) => all + (floors[floor]?.capacity ?? 0), 0)
  return sum === 0 ? [] : allowed.map((floor) => ({ floor, share: (floors[floor]?.capacity ?? 0) / sum }))
}

/** Returns the allocation of today: each team on its own floor. Teams whose floor is not known have no place in it. */
export const allocationOfToday = ({ weekdays, teams, floors }: ScenarioInput): Allocation => ({
  seats: weekdays.map(() => teams.map(({ home }) => floors.map((_, floor) => (floor === home ? 1 : 0)))),
  open: weekdays.map((_, day) => floors.map(({ shut }) => !shut[day])),
})
