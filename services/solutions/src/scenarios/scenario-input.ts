import type { Objective } from './model/model.ts'

export interface ScenarioFloor {
  id: string
  name: string
  capacity: number
  /** By weekday of the scenario: true where it must not be used. */
  closed: boolean[]
  /** True on weekdays on which its opening hours close it already, so that it can close on others only. */
  shut: boolean[]
  /** A year in minor units; null if it is not stated. */
  annualCost: number | null
  currency: string | null
  /** The share of the cost that ends when the floor is closed. */
  avoidableShare: number | null
}

/** A change of the attendance of a team. */
export interface AttendanceRule {
  /** Days a week on which a member comes at least, on average. */
  minDays?: number | undefined
  /** Weekdays of the scenario, by position, on which all come. */
  fixedDays?: number[] | undefined
  /** Spreads the attendance of the week evenly over the weekdays. */
  stagger?: boolean | undefined
}

/**
 * A team that is placed as one, or the members of a team that are in none of those within it. In a scenario from a
 * forecast of floors, the people who are counted on one, or in a building and on none of its floors.
 */
export interface ScenarioTeam {
  /** That of the team or space. */
  id: string
  isOfSpace?: boolean
  name: string
  /** True for the members outside of the teams within it. */
  isRemainder: boolean
  headcount: number | null
  /** Positions of floors, as in `ModelTeam`. */
  home: number | null
  fixed: number[] | null
  excluded: number[]
  maxFloors: number | null
  near: number[]
  /** Places kept free, as a share of those needed. */
  contingency: number
  /** The factor of the headcount. */
  growth: number
  attendance: AttendanceRule
  /** People present on a day of a sample path, at `day * pathCount + path`. */
  paths: Float32Array
}

/** All that a scenario is computed from. */
export interface ScenarioInput {
  objective: Objective
  serviceLevel: number
  /** Seconds for the whole computation. */
  seconds: number
  /** The weekdays on which any of the floors is open, from Monday. */
  weekdays: string[]
  /** The weekday of each day of the forecast, by position; -1 for holidays and where the site is closed. */
  weekdayOf: number[]
  pathCount: number
  floors: ScenarioFloor[]
  teams: ScenarioTeam[]
}
