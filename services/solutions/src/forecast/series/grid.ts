import { median, quantile } from '../statistics.ts'
import type { Calendar, Step } from '../time/calendar.ts'

/** The values of all cells from `first` on; `observed` is 1 unless the value was imputed. */
export interface Grid {
  first: number
  values: Float64Array
  observed: Uint8Array
}

/** `filled` counts the imputed values, without those of times that are usually closed. */
export interface ImputedGrid extends Grid {
  filled: number
}

/**
 * The times of the week that are closed, so that a missing value is 0. `none`: a state such as a temperature has a
 * value at all times. `table`: times with few of the rows that others have. `log`: times with few rows.
 */
export type ClosedTimes = 'none' | 'table' | 'log'

/**
 * Maps steps to cells (a repeated hour is the mean of its two) and imputes missing values, also those of closed dates.
 * @param closedDates days since 1970-01-01
 */
export function buildGrid(
  steps: Step[],
  values: Float64Array,
  calendar: Calendar,
  closedTimes: ClosedTimes,
  closedDates: ReadonlySet<number>,
): ImputedGrid {
  const first = steps[0]?.cell ?? 0
  const length = steps.length === 0 ? 0 : (steps.at(-1)?.cell ?? first) - first + 1
  const sums = new Float64Array(length)
  const counts = new Uint8Array(length)
  steps.forEach(({ cell }, index) => {
    const value = values[index] ?? Number.NaN
    if (Number.isNaN(value) || closedDates.has(calendar.dateOf(cell) ?? Number.NaN)) return
    sums[cell - first] = (sums[cell - first] ?? 0) + value
    counts[cell - first] = (counts[cell - first] ?? 0) + 1
  })
  const filled = sums.map((sum, index) => (counts[index] ? sum / (counts[index] ?? 1) : Number.NaN))
  const grid = { first, values: filled, observed: counts.map((count) => (count > 0 ? 1 : 0)) }
  return { ...grid, filled: impute(grid, calendar, closedTimes) }
}

/** Seasons before and after a gap that its imputed value is taken from; more where none of them has a value. */
const reach = 4
/** The values of a longer gap, half of them before it. */
const farValues = 4

/**
 * Imputes gaps with the median of the same slot (the same hour of the same weekday) in nearby weeks, or by linear
 * interpolation if there is none. A total that is missing at a time of the week with few values is of a closed time, so
 * it is zero. Returns the number of the other imputed values.
 */
function impute({ first, values, observed }: Grid, calendar: Calendar, closedTimes: ClosedTimes): number {
  const { season } = calendar
  const closed =
    closedTimes === 'none' || season === 1 ? new Set<number>() : closedSlots({ first, observed }, calendar, closedTimes)
  let filled = 0
  for (let i = 0; i < values.length; i += 1) {
    if (observed[i]) continue
    if (closed.has(calendar.slotOf(first + i))) {
      values[i] = 0
      continue
    }
    filled += 1
    const around = valuesAround({ values, observed }, i, season)
    if (around.length > 0) values[i] = median(around)
  }
  interpolate(values)
  return filled
}

function valuesAround({ values, observed }: Pick<Grid, 'values' | 'observed'>, at: number, season: number): number[] {
  const around: number[] = []
  for (let away = -reach; away <= reach; away += 1) {
    const index = at + away * season
    if (observed[index]) around.push(values[index] ?? 0)
  }
  if (around.length > 0) return around
  for (const direction of [-season, season]) {
    let count = 0
    for (let index = at + direction; index in values && count < farValues / 2; index += direction) {
      if (!observed[index]) continue
      around.push(values[index] ?? 0)
      count += 1
    }
  }
  return around
}

/**
 * Returns the slots with values in fewer than half of the days (for hours) or weeks (for days) with any; in a table
 * that lacks rows at all times, in fewer than a quarter of those that other slots have.
 */
function closedSlots(
  { first, observed }: Pick<Grid, 'first' | 'observed'>,
  calendar: Calendar,
  closedTimes: 'table' | 'log',
): Set<number> {
  const group = calendar.day > 1 ? calendar.day : calendar.season
  const startOfGroup = (cell: number): number => cell - (calendar.slotOf(cell) % group)
  const active = new Set<number>()
  observed.forEach((seen, index) => {
    if (seen) active.add(startOfGroup(first + index))
  })
  const possible = new Float64Array(calendar.season)
  const seen = new Float64Array(calendar.season)
  for (let i = 0; i < observed.length; i += 1) {
    const slot = calendar.slotOf(first + i)
    if (active.has(startOfGroup(first + i))) possible[slot] = (possible[slot] ?? 0) + 1
    seen[slot] = (seen[slot] ?? 0) + (observed[i] ?? 0)
  }
  const shares = seen.map((count, slot) => count / Math.max(1, possible[slot] ?? 0))
  const usual = quantile(shares.toSorted(), 0.9)
  // Where rows are missing at random, times of the week differ by chance.
  const least = closedTimes === 'log' || usual > 0.9 ? 0.5 : 0.25 * usual
  return new Set([...shares.keys()].filter((slot) => shares[slot] === 0 || (shares[slot] ?? 0) < least))
}

function interpolate(values: Float64Array): void {
  let before = -1
  for (let i = 0; i <= values.length; i += 1) {
    if (i < values.length && Number.isNaN(values[i])) continue
    const from = values[before] ?? values[i] ?? 0
    const to = values[i] ?? from
    for (let j = before + 1; j < i; j += 1) values[j] = from + ((to - from) * (j - before)) / (i - before)
    before = i
  }
}
