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
 */
export const needsAt = (
  sorted: readonly (readonly Float32Array[])[],
  teams: readonly Pick<ScenarioTeam, 'contingency'>[],
  level: number,
): number[][] =>
  sorted.map((ofTeam, team) =>
    ofTeam.map((values) => {
      const people = values[Math.max(0, Math.ceil(level * values.length) - 1)] ?? 0
      // Half a person is the rounding of a forecast, not someone who needs a place.
      return Math.ceil(Math.round(people * (1 + (teams[team]?.contingency ?? 0)) * 100) / 100 - 0.5)
    }),
  )
