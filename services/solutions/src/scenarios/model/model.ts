/** A floor, or another space that teams are placed in. Arrays are by weekday of the model. */
export interface ModelFloor {
  capacity: number
  /** True on weekdays on which a scenario closes it. */
  closed: readonly boolean[]
  /** Cost of the weekday in a year while the floor is open, in minor units. */
  weekdayCost: number
}

/** A team that is placed as one. */
export interface ModelTeam {
  /** Places needed by weekday, with those kept free. */
  needs: readonly number[]
  /** The floor it sits on today; null if that is not known. */
  home: number | null
  /** The only floors that it may sit on; null: any. */
  fixed: readonly number[] | null
  excluded: readonly number[]
  /** The most floors that it sits on, on one weekday. */
  maxFloors: number | null
  /** Teams that should sit on a floor with it, by position. */
  near: readonly number[]
}

export const objectives = ['fewest_floors', 'lowest_cost', 'least_moves'] as const
export type Objective = (typeof objectives)[number]

export interface Model {
  weekdayCount: number
  floors: readonly ModelFloor[]
  teams: readonly ModelTeam[]
  objective: Objective
}

/** Places by team, floor and weekday, and the floors that are open. */
export interface Allocation {
  /** `seats[weekday][team][floor]`. */
  seats: number[][][]
  /** `open[weekday][floor]`. */
  open: boolean[][]
}

/** Returns true if the constraints of a team let it sit on a floor. */
export const mayUse = ({ fixed, excluded }: Pick<ModelTeam, 'fixed' | 'excluded'>, floor: number): boolean =>
  (fixed === null || fixed.includes(floor)) && !excluded.includes(floor)

export function objectiveOf({ floors, teams, objective, weekdayCount }: Model, { seats, open }: Allocation): number {
  const floorDays = open.reduce((sum, day) => sum + day.filter(Boolean).length, 0)
  if (objective === 'lowest_cost')
    return open.reduce(
      (sum, day) => sum + day.reduce((cost, isOpen, at) => cost + (isOpen ? (floors[at]?.weekdayCost ?? 0) : 0), 0),
      0,
    )
  if (objective === 'fewest_floors') {
    const used = floors.filter((_, at) => open.some((day) => day[at])).length
    return used * floorWeight(floors.length, weekdayCount) + floorDays
  }
  return seats.reduce(
    (sum, day) =>
      sum +
      teams.reduce(
        (moved, { home }, team) =>
          moved +
          (home === null ? 0 : (day[team] ?? []).reduce((all, places, at) => all + (at === home ? 0 : places), 0)),
        0,
      ),
    0,
  )
}

/** A floor that is never open counts for more than all days on which others are. */
export const floorWeight = (floors: number, weekdays: number): number => floors * weekdays + 1

/** Returns a model in which only some floors may open. */
export const withOnly = (model: Model, open: readonly boolean[]): Model => ({
  ...model,
  floors: model.floors.map((floor, at) => ({
    ...floor,
    closed: floor.closed.map((isClosed) => isClosed || open[at] !== true),
  })),
})
