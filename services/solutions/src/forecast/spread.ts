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
  const errors = residuals.map(({ actual, predicted }) => Math.abs(actual - predicted))
  const overall = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
  const sizes = residuals.map(({ predicted }) => predicted)
  const width = Math.max(1, rankWidth * residuals.length)
  return (place) => {
    const rank = rankOf(sizes, place.predicted)
    const sums = new Float64Array(folds)
    const weights = new Float64Array(folds)
    const end = Math.min(residuals.length, rank + 3 * width)
    for (let i = Math.max(0, Math.ceil(rank - 3 * width)); i < end; i += 1) {
      const other = residuals[i]
      if (!other) continue
      const apart = (i - rank) / width
      const hours = Math.abs(other.hour - place.hour)
      const hourApart = Math.min(hours, 24 - hours) / hourWidth
      const leadApart = (other.lead - place.lead) / (leadWidth * horizon)
      const weight = Math.exp(-0.5 * (apart * apart + hourApart * hourApart + leadApart * leadApart))
      sums[other.fold] = (sums[other.fold] ?? 0) + weight * (errors[i] ?? 0)
      weights[other.fold] = (weights[other.fold] ?? 0) + weight
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
