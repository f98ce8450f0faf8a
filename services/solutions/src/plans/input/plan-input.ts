import type { PlanContent, PlanParameters } from '@wp/contracts'
import type { peopleOf, ShownDay } from '../../utilization/shown-day.ts'

export type Expectation = NonNullable<PlanContent['expected']>
export type RestDay = NonNullable<PlanContent['rest_day']>

/** The hours in which a space may be open on the day, in minutes since midnight. */
export interface OpenMinutes {
  from: number
  to: number
}

export type PlanMeasure = NonNullable<Expectation['measure']>

/** A day before that of the plan, with its people by the measure of the space. */
export type PlannedDay = ReturnType<typeof peopleOf> & Pick<ShownDay, 'hours'>

/** A space with what is known of it before the day begins. */
export interface PlannedSpace {
  id: string
  name: string
  capacity: number | null
  /** Null if it is not open on the day. */
  open: OpenMinutes | null
  /** The people who come, or the most at a moment where counters see more of them. */
  measure: PlanMeasure
  /** The people of the day by a forecast of the measure; null without one. */
  forecast: Pick<Expectation, 'mean' | 'lower' | 'upper'> | null
  /** The same weekday of the weeks before, holidays left out, with what is withheld left out. */
  days: readonly PlannedDay[]
}

/** All that a plan is computed from. */
export interface PlanInput {
  date: string
  timezone: string
  site: PlannedSpace
  floors: readonly PlannedSpace[]
  /** Why the whole space rests; null on a usual day. */
  restDay: RestDay | null
  parameters: PlanParameters
  forecastRunId: string | null
  /** The floors that a scenario frees on the weekday; null without a scenario. */
  scenario: { name: string; freeIds: ReadonlySet<string> } | null
  /** Floors that the plan before kept closed, and people were on. */
  usedWhileClosed: readonly { name: string; date: string }[]
  warnings: readonly string[]
}
