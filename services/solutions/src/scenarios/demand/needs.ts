import type { ScenarioInput, ScenarioTeam } from '../scenario-input.ts'

/** The people of each team who are present, in the order of the teams. */
export type Demand = readonly Float32Array[]

/** Returns the values of each weekday in ascending order, over its days and all paths. */
export const sortedByWeekday = (
  demand: Demand,
  { weekdays, weekdayOf, pathCount }: Pick<ScenarioInput, 'weekdays' | 'weekdayOf' | 'pathCount'>,
): Float32Array[][] =>
  demand.map((values) =>
    weekdays.map((_, weekday) =>
      Float32Array.from(
        weekdayOf.flatMap((of, day) =>
          of === weekday ? Array.from(values.subarray(day * pathCount, (day + 1) * pathCount)) : [],
        ),
      ).sort(),
    ),
  )

/**
 * Returns the places that each team needs on each weekday: enough for a share of its days, and those kept free.
 * @param level the share of days, up to 1
 * @param round half a person is the rounding of a forecast, not someone who needs a place
 */
export const needsAt = (
  sorted: readonly (readonly Float32Array[])[],
  teams: readonly Pick<ScenarioTeam, 'contingency'>[],
  level: number,
  round: (places: number) => number = (places) => Math.ceil(places - 0.5),
): number[][] =>
  sorted.map((ofTeam, team) =>
    ofTeam.map((values) => {
      const people = values[Math.max(0, Math.ceil(level * values.length) - 1)] ?? 0
      return round(Math.round(people * (1 + (teams[team]?.contingency ?? 0)) * 100) / 100)
    }),
  )
