import type { Place, Residual } from './residuals.ts'

/** How large errors are around a place; `without` lists the folds that must not be asked. */
export type Spread = (without: ReadonlySet<number>) => number

/** Bandwidths of the kernel: rank of the forecast (share of all), hour of the day, steps ahead (share of the horizon). */
const rankWidth = 0.08
const hourWidth = 2
const leadWidth = 0.35
/** The share of the overall error every place has at least, so that a quiet hour is never certain. */
const floor = 0.02

/**
 * Errors differ by place: nights are near zero and sure, busy hours are not, and the far future is less sure than
 * tomorrow. The spread is a kernel mean of absolute errors over similar places. Sums are kept per fold, so that asking
 * again without some folds costs nothing.
 */
export function spreadsOf(residuals: Residual[], folds: number, horizon: number): (place: Place) => Spread {
  const errors = Float64Array.from(residuals, ({ actual, predicted }) => Math.abs(actual - predicted))
  const overall = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
  const sizes = residuals.map(({ predicted }) => predicted)
  const width = Math.max(1, rankWidth * residuals.length)
  // The innermost loop runs millions of times: it reads tables only. Ranks lie on halves.
  const reach = Math.ceil(3 * width)
  const byRank = kernelTable(2 * reach + 2, 2 * width)
  const byHour = Float64Array.from({ length: 24 }, (_, hours) => kernel(Math.min(hours, 24 - hours) / hourWidth))
  const byLead = kernelTable(horizon, leadWidth * horizon)
  return (place) => {
    const rank = rankOf(sizes, place.predicted)
    const sums = new Float64Array(folds)
    const weights = new Float64Array(folds)
    const end = Math.min(residuals.length, Math.floor(rank) + reach)
    for (let i = Math.max(0, Math.ceil(rank) - reach); i < end; i += 1) {
      const other = residuals[i]
      if (!other) continue
      const { hour, lead, fold } = other
      const rankApart = 2 * (i < rank ? rank - i : i - rank)
      const hourApart = hour < place.hour ? place.hour - hour : hour - place.hour
      const leadApart = lead < place.lead ? place.lead - lead : lead - place.lead
      const weight = (byRank[rankApart] ?? 0) * (byHour[hourApart] ?? 0) * (byLead[leadApart] ?? 0)
      sums[fold] = (sums[fold] ?? 0) + weight * (errors[i] ?? 0)
      weights[fold] = (weights[fold] ?? 0) + weight
    }
    return (without) => {
      let sum = 0
      let weight = 0
      for (let fold = 0; fold < folds; fold += 1) {
        if (without.has(fold)) continue
        sum += sums[fold] ?? 0
        weight += weights[fold] ?? 0
      }
      const local = weight > 1e-9 ? sum / weight : overall
      return (1 - floor) * local + floor * overall
    }
  }
}

function kernelTable(length: number, width: number): Float64Array {
  return Float64Array.from({ length }, (_, apart) => kernel(apart / width))
}

function kernel(apart: number): number {
  return Math.exp(-0.5 * apart * apart)
}

/** The middle of the ranks a size has, or would have, among sorted sizes. */
export function rankOf(sizes: number[], size: number): number {
  return (countWhile(sizes, (value) => value < size) + countWhile(sizes, (value) => value <= size)) / 2
}

function countWhile(sorted: number[], holds: (value: number) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}
