import { dayOf } from '../../workplace/local-days.ts'
import { HierarchyInputError } from '../errors.ts'
import { buildGrid } from '../series/grid.ts'
import { leaveOutUnusual } from '../series/unusual/unusual-values.ts'
import { calendarOf } from '../time/calendar.ts'
import type { HierarchyNode } from './shapes.ts'

/** One value a day up to the last day. */
export interface DailyValues {
  first: number
  values: Float64Array
  observed: Uint8Array
}

/** Ten years and a month. */
const maxDays = 3_700
/** The share of a sum that may be imputed. */
const maxImputed = 0.05
/** Below this share of a total, a remainder is the rounding of sums. */
const tinyShare = 1e-9

/**
 * Reads the values of a node, without those that tell nothing of the days to come; undefined without any.
 * @param holidays days since 1970-01-01
 * @throws HierarchyInputError if they do not end on the last day
 */
export function readSeries(
  { id, series }: HierarchyNode,
  last: number,
  holidays: ReadonlySet<number>,
): (DailyValues & { warnings: string[] }) | undefined {
  if (series === undefined) return undefined
  const calendar = calendarOf('day')
  const since = dayOf(series.since)
  const length = last - since + 1
  if (length < 1 || length > maxDays || series.values.length > length) {
    const problem = `starts on ${series.since} with ${series.values.length} values`
    throw new HierarchyInputError(
      `The series of "${id}" ${problem}; it must end on the last day, within ${maxDays} days.`,
    )
  }
  const steps = Array.from({ length }, (_, index) => ({ startMs: 0, cell: since + index }))
  const values = Float64Array.from(steps, (_, index) => series.values[index] ?? Number.NaN)
  // Days before the first value are not history.
  const known = values.findIndex((value) => !Number.isNaN(value))
  const start = Math.max(0, known)
  const history = steps.slice(start)
  const usual = leaveOutUnusual({ steps: history, values: values.subarray(start) }, calendar, {
    closed: new Set(),
    named: holidays,
    leavesOutOdd: true,
  })
  return { ...buildGrid(history, usual.values, calendar, 'table', new Set()), warnings: usual.warnings }
}

/** Sums series from the start of the shortest one on. */
export function sumOf(series: readonly DailyValues[], last: number): DailyValues {
  const first = Math.max(...series.map((one) => one.first))
  const values = new Float64Array(last - first + 1)
  const imputed = new Float64Array(values.length)
  for (const one of series) {
    const skip = first - one.first
    for (let index = 0; index < values.length; index += 1) {
      const value = one.values[index + skip] ?? 0
      values[index] = (values[index] ?? 0) + value
      if (!one.observed[index + skip]) imputed[index] = (imputed[index] ?? 0) + Math.abs(value)
    }
  }
  const observed = Uint8Array.from(values, (value, index) =>
    (imputed[index] ?? 0) <= maxImputed * Math.abs(value) ? 1 : 0,
  )
  return { first, values, observed }
}

/** Returns a total less a sum. */
export function difference(total: DailyValues, sum: DailyValues): DailyValues {
  const first = Math.max(total.first, sum.first)
  const length = Math.min(total.values.length, sum.values.length)
  const [a, b] = [total.values.length - length, sum.values.length - length]
  const values = Float64Array.from({ length }, (_, i) => (total.values[a + i] ?? 0) - (sum.values[b + i] ?? 0))
  const observed = Uint8Array.from(values, (_, i) => (total.observed[a + i] && sum.observed[b + i] ? 1 : 0))
  // A day that is filled in for one of both makes no remainder negative that never is.
  const low = values.some((value, i) => observed[i] && value < 0) ? Number.NEGATIVE_INFINITY : 0
  return { first, values: values.map((value, i) => (observed[i] ? value : Math.max(low, value))), observed }
}

/** Returns true if a remainder is only the rounding of a total. */
export function isTiny({ values, observed }: DailyValues, { values: totals }: DailyValues): boolean {
  const scale = totals.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return values.every((value, index) => !observed[index] || Math.abs(value) <= tinyShare * scale)
}
