import type { Bucket } from '../language/phrases.ts'
import type { KnownSource } from '../tool-results.ts'
import type { TimeRange } from './times/periods.ts'
import type { Recurrence } from './times/recurrences.ts'

/** Conditions by field, as the tools take them. All must match. */
export type Filters = Record<string, Condition>
export type Condition = string | number | boolean | Conditions
interface Conditions {
  in?: string[]
  not?: string | string[]
  exists?: boolean
  gt?: number
  gte?: number | string
  lt?: number | string
  lte?: number
}

/** A question as it was understood. Every word with a meaning has become a part of it. */
export interface Query {
  source: KnownSource
  /**
   * - `aggregate`: one number, or one for each group
   * - `distinct`: the number of different values of `field`
   * - `share`: the part of what passes `filters` that also passes `partFilters`
   * - `records`: the records themselves, or the `select`ed fields of them
   */
  form: 'aggregate' | 'distinct' | 'share' | 'records'
  function: 'count' | 'sum' | 'mean' | 'median' | 'max' | 'min' | 'distinct'
  field: string | undefined
  filters: Filters
  partFilters: Filters
  groupBy: string[]
  bucket: { field: string; by: Bucket } | undefined
  /** Orders groups by their number, or records by `field`; keeps the first `count`, and those equal to the last. */
  order: { direction: 'max' | 'min'; count: number } | undefined
  /** Keeps the groups whose number passes: `on how many days were more than 50 visitors`. */
  groupCondition: GroupCondition | undefined
  /** True for `which team has the highest refund`: the highest total and the highest single value may differ. */
  alsoExtreme: boolean
  select: string[]
  /** Months without a year and periods by the clock, for which the times of the data must be read. */
  unresolved: { field: string; range: TimeRange }[]
  /** The periods by which an average is also computed, as that of their totals. */
  averagePer: Query['bucket']
  /** True for `when is it busiest`: the hour, the day of the week and the day are all said. */
  isWhen: boolean
  /** Only records at times that come again: on Mondays, before 9:00. */
  recurring: ({ field: string } & Recurrence) | undefined
  /** True for `how many people`: records that count the same people again cannot be told from others. */
  isHeadcount: boolean
  /** True for `how many different`: the records are not meant. */
  isDifferent: boolean
  /** True for two groups that are compared: the answer says their difference too. */
  isCompared: boolean
  /** Numbers that a record does not have, or of which it has 0: `without a rating`. */
  missing?: string[]
  /** True for `how many hours` of a column of minutes. */
  isInHours?: boolean
  /** True for `how much`: of several records the total is asked for. */
  wantsTotal: boolean
}

/** A bound of the number of a group. */
export interface GroupCondition {
  operator: 'gt' | 'gte' | 'lt' | 'lte'
  value: number
  /** True if the number of groups is asked for, and not their names. */
  isCounted: boolean
}

/** Thrown when a question cannot be expressed. The message is the reason that the user reads. */
export class Refusal extends Error {
  /** Number of words that fit nothing. */
  readonly unused: number
  constructor(reason: string, unused = 0) {
    super(reason)
    this.unused = unused
  }
}
