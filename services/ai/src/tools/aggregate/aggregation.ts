import type { Filters } from '../data/filters.ts'
import { type Accumulator, type AggregateFunction, type AggregateValue, createAccumulator } from './accumulator.ts'
import { createFilter } from './match-filters.ts'
import { bucketOf, isRecurring, type LocalTimes, type RecurringTimes, type TimeBucket } from './time-bucket.ts'

/** A value to compute over the rows of each group. */
export interface Measure {
  function: AggregateFunction
  /** Default, for `count` only: rows are counted. */
  field?: string | undefined
}

export interface AggregationQuery {
  measures: readonly Measure[]
  groupBy: readonly string[]
  /** Groups the times of a field by period; it is also in `groupBy`. */
  bucket?: { field: string; by: TimeBucket } | undefined
  filters: Filters
  /** Only rows at these times. */
  recurring?: RecurringTimes | undefined
  /** For fields with a time zone: by it their times, which are in UTC, are grouped, filtered and returned. */
  localTimes?: ReadonlyMap<string, LocalTimes> | undefined
}

/** A group with a value for each measure, in their order. */
export interface Group {
  key: (string | number | boolean | null)[]
  rows: number
  values: AggregateValue[]
}

/** More groups are a mistake: a field with a value of its own in most rows. */
export const maxGroups = 10_000

interface OpenGroup {
  key: Group['key']
  rows: number
  accumulators: { measure: Measure; accumulator: Accumulator }[]
}

/** Groups rows and computes the measures of each group, a row at a time. */
export class Aggregation {
  /** The fields whose values a row holds, in order. */
  readonly fields: readonly string[]
  /** Rows that passed the filters. */
  matched = 0
  /** Values that could not be used: missing, or not numbers. */
  ignored = 0
  readonly #query: AggregationQuery
  readonly #positions: ReadonlyMap<string, number>
  readonly #matches: ReturnType<typeof createFilter>
  readonly #groups = new Map<string, OpenGroup>()

  constructor(query: AggregationQuery) {
    this.#query = query
    const names = [
      ...query.groupBy,
      ...query.measures.flatMap(({ field = [] }) => field),
      ...Object.keys(query.filters),
      ...(query.recurring === undefined ? [] : [query.recurring.field]),
    ]
    this.fields = [...new Set(names)]
    this.#positions = new Map(this.fields.map((name, position) => [name, position]))
    this.#matches = createFilter(query.filters, query.localTimes)
  }

  /** @returns false if the row belongs to one group too many */
  add(row: readonly unknown[]): boolean {
    const valueAt = (field: string) => row[this.#positions.get(field) ?? -1]
    const { recurring } = this.#query
    if (
      !this.#matches(valueAt) ||
      (recurring !== undefined && !isRecurring(this.#localTime(recurring.field, valueAt(recurring.field)), recurring))
    )
      return true
    const group = this.#groupOf(this.#query.groupBy.map((field) => this.#keyOf(field, valueAt(field))))
    if (group === undefined) return false
    this.matched += 1
    group.rows += 1
    for (const { measure, accumulator } of group.accumulators)
      if (!accumulator.add(measure.field === undefined ? true : valueAt(measure.field))) this.ignored += 1
    return true
  }

  /** Returns the groups, in the order in which they were found. Without `groupBy` there is one, also of no rows. */
  groups(): Group[] {
    if (this.#query.groupBy.length === 0) this.#groupOf([])
    return [...this.#groups.values()].map(({ key, rows, accumulators }) => ({
      key,
      rows,
      values: accumulators.map(({ measure, accumulator }) => this.#resultOf(measure, accumulator.result())),
    }))
  }

  /** Converts the earliest or latest time of a field. */
  #resultOf({ field = '' }: Measure, value: AggregateValue): AggregateValue {
    const local = this.#localTime(field, value)
    return typeof local === 'string' ? local : value
  }

  #keyOf(field: string, value: unknown): Group['key'][number] {
    const { bucket } = this.#query
    if (bucket?.field === field) return bucketOf(this.#localTime(field, value), bucket.by) ?? null
    if (typeof value === 'number' || typeof value === 'boolean') return value
    if (value === null || value === undefined || value === '') return null
    return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxKeyLength)
  }

  #localTime(field: string, value: unknown): unknown {
    return this.#query.localTimes?.get(field)?.(value) ?? value
  }

  #groupOf(key: Group['key']): OpenGroup | undefined {
    const name = JSON.stringify(key)
    const existing = this.#groups.get(name)
    if (existing !== undefined || this.#groups.size >= maxGroups) return existing
    const accumulators = this.#query.measures.map((measure) => ({
      measure,
      accumulator: createAccumulator(measure.function),
    }))
    const created = { key, rows: 0, accumulators }
    this.#groups.set(name, created)
    return created
  }
}

const maxKeyLength = 200
