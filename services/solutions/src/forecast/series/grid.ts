import type { Aggregation } from '../shapes.ts'
import { median } from '../statistics.ts'
import type { Calendar, Step } from '../time/calendar.ts'

/** The values of all cells from `first` on; `observed` is 1 unless the value was imputed. */
export interface Grid {
  first: number
  values: Float64Array
  observed: Uint8Array
}

/**
 * Maps steps to cells (a repeated hour is the mean of its two) and imputes missing values, also those of closed dates.
 * @param closedDates days since 1970-01-01
 */
export function buildGrid(
  steps: Step[],
  values: Float64Array,
  calendar: Calendar,
  aggregation: Aggregation,
  closedDates: ReadonlySet<number>,
): Grid {
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
  impute(grid, calendar, aggregation)
  return grid
}

/** Seasons before and after a gap that its imputed value is taken from. */
const reach = 4

/**
 * Imputes gaps with the median of the same slot (the same hour of the same weekday) in nearby weeks, or by linear
 * interpolation if there is none. For sums and counts, an hour that is missing on most days with data was closed, so it
 * is zero.
 */
function impute({ first, values, observed }: Grid, calendar: Calendar, aggregation: Aggregation): void {
  const { season } = calendar
  const isTotal = aggregation === 'sum' || aggregation === 'count'
  const closed = isTotal && season > 1 ? closedSlots({ first, values, observed }, calendar) : new Set<number>()
  for (let i = 0; i < values.length; i += 1) {
    if (observed[i]) continue
    if (closed.has(calendar.slotOf(first + i))) {
      values[i] = 0
      continue
    }
    const around: number[] = []
    for (let away = -reach; away <= reach; away += 1) {
      const j = i + away * season
      if (observed[j]) around.push(values[j] ?? 0)
    }
    if (around.length > 0) values[i] = median(around)
  }
  interpolate(values)
}

/** Returns the slots observed in fewer than half of the days (for hours) or weeks (for days) that have any data. */
function closedSlots({ first, observed }: Grid, calendar: Calendar): Set<number> {
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
  const slots = Array.from({ length: calendar.season }, (_, slot) => slot)
  return new Set(slots.filter((slot) => (seen[slot] ?? 0) === 0 || (seen[slot] ?? 0) < 0.5 * (possible[slot] ?? 0)))
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
