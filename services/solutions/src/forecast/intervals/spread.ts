import type { ForecastPosition, Residual } from './residuals.ts'

/** Returns the spread of errors near a position, computed without the excluded folds. */
export type Spread = (excluded: ReadonlySet<number>) => number

/**
 * Bandwidths of the kernel: rank of the forecast (share of all), hour of the day, steps ahead (share of the horizon).
 */
const rankWidth = 0.08
const hourWidth = 2
const leadWidth = 0.35
/**
 * Errors grow fastest over the first steps, so leads are compared by their square roots, rounded to this many parts.
 */
const leadParts = 200
/** Minimum spread as a share of the overall error, so that no hour is certain. */
const floor = 0.02

/**
 * Errors depend on the position: nights are near zero and certain, busy hours are not, and uncertainty grows with the
 * lead time. The spread is a kernel-weighted mean of absolute errors at similar positions. Sums are kept per fold, so
 * that excluding folds costs nothing.
 */
export function spreadsOf(
  residuals: Residual[],
  folds: number,
  horizon: number,
): (position: ForecastPosition) => Spread {
  const errors = Float64Array.from(residuals, ({ actual, predicted }) => Math.abs(actual - predicted))
  const overall = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
  const sizes = residuals.map(({ predicted }) => predicted)
  const width = Math.max(1, rankWidth * residuals.length)
  // The innermost loop runs millions of times: it reads tables only. Ranks lie on halves.
  const reach = Math.ceil(3 * width)
  const byRank = kernelTable(2 * reach + 2, 2 * width)
  const byHour = Float64Array.from({ length: 24 }, (_, hours) => kernel(Math.min(hours, 24 - hours) / hourWidth))
  const byLead = kernelTable(leadParts + 1, leadWidth * leadParts)
  const leads = Uint8Array.from({ length: horizon }, (_, lead) => Math.round(leadParts * Math.sqrt(lead / horizon)))
  return (position) => {
    const rank = rankOf(sizes, position.predicted)
    const sums = new Float64Array(folds)
    const weights = new Float64Array(folds)
    const end = Math.min(residuals.length, Math.floor(rank) + reach)
    for (let i = Math.max(0, Math.ceil(rank) - reach); i < end; i += 1) {
      const other = residuals[i]
      if (!other) continue
      const { hour, lead, fold } = other
      const rankApart = 2 * (i < rank ? rank - i : i - rank)
      const hourApart = hour < position.hour ? position.hour - hour : hour - position.hour
      const leadApart = Math.abs((leads[lead] ?? 0) - (leads[position.lead] ?? 0))
      const weight = (byRank[rankApart] ?? 0) * (byHour[hourApart] ?? 0) * (byLead[leadApart] ?? 0)
      sums[fold] = (sums[fold] ?? 0) + weight * (errors[i] ?? 0)
      weights[fold] = (weights[fold] ?? 0) + weight
    }
    return (excluded) => {
      let sum = 0
      let weight = 0
      for (let fold = 0; fold < folds; fold += 1) {
        if (excluded.has(fold)) continue
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

/** Returns the mid-rank of a size among sorted sizes. */
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
