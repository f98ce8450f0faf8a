import { type Fold, overlappingFolds } from '../evaluation/folds.ts'
import { quantile } from '../statistics.ts'
import type { ForecastPosition, Residual } from './residuals.ts'
import { rankOf, spreadsOf } from './spread.ts'

/** Sorted errors in units of the spread, and the spread at one position. */
export interface ScaledErrors {
  errors: Float64Array
  spread: number
  /** The largest error of all. Where a closed time ends, an error is many times the spread. */
  largest: number
}

/** Returns a quantile of the errors at the position. */
export const errorAt = ({ errors, spread, largest }: ScaledErrors, probability: number): number =>
  Math.min(largest, Math.max(-largest, spread * quantile(errors, probability)))

/** Forecasts are grouped into bands by size; each uses the errors of the nearest third, or 100, of all residuals. */
const bands = 12
const nearestShare = 0.33
const fewest = 100

/** Returns errors of past forecasts near a position. Each error is scaled by a spread computed without its own fold. */
export function scaledErrorsOf(
  residuals: Residual[],
  folds: Fold[],
): {
  near: (position: ForecastPosition) => ScaledErrors
  /** Like `near` for a past forecast, computed without its fold and folds that overlap it. */
  nearWithoutItsFold: (index: number) => ScaledErrors
} {
  const horizon = Math.max(1, ...folds.map(({ cells }) => cells))
  const spreadAt = spreadsOf(residuals, folds.length, horizon)
  const spreads = residuals.map(spreadAt)
  const around = folds.map((fold) => overlappingFolds(fold, folds))
  const noFolds: ReadonlySet<number> = new Set()
  const sizes = residuals.map(({ predicted }) => predicted)
  const largest = residuals.reduce((most, { actual, predicted }) => Math.max(most, Math.abs(actual - predicted)), 0)
  const cache = new Map<string, Float64Array>()

  const errorsNear = (rank: number, apart: number | null): Float64Array => {
    const band = Math.min(bands - 1, Math.floor((rank / Math.max(1, sizes.length)) * bands))
    const known = cache.get(`${band}/${apart}`)
    if (known) return known
    const excluded = apart === null ? noFolds : (around[apart] ?? noFolds)
    const masks = folds.map((_, fold) => new Set([...excluded, fold]))
    const errors = Float64Array.from(nearestTo(residuals, ((band + 0.5) / bands) * sizes.length, excluded), (index) => {
      const residual = residuals[index]
      if (!residual) return 0
      const spread = spreads[index]?.(masks[residual.fold] ?? noFolds) ?? 0
      return (residual.actual - residual.predicted) / Math.max(spread, 1e-12)
    }).sort()
    cache.set(`${band}/${apart}`, errors)
    return errors
  }
  return {
    near: (position) => ({
      errors: errorsNear(rankOf(sizes, position.predicted), null),
      spread: spreadAt(position)(noFolds),
      largest,
    }),
    nearWithoutItsFold: (index) => {
      const residual = residuals[index]
      if (!residual) return { errors: new Float64Array(), spread: 0, largest }
      const spread = spreads[index]?.(around[residual.fold] ?? noFolds) ?? 0
      return { errors: errorsNear(rankOf(sizes, residual.predicted), residual.fold), spread, largest }
    },
  }
}

/** Returns the indexes of the residuals nearest in rank, without the excluded folds. */
function nearestTo(residuals: Residual[], rank: number, excluded: ReadonlySet<number>): number[] {
  const indexes = residuals.map((_, index) => index)
  const allowed = indexes.filter((index) => !excluded.has(residuals[index]?.fold ?? -1))
  const count = Math.min(allowed.length, Math.max(fewest, Math.round(nearestShare * allowed.length)))
  const middle = allowed.findIndex((index) => index >= rank)
  const centre = middle < 0 ? allowed.length : middle
  const from = Math.max(0, Math.min(allowed.length - count, centre - (count >> 1)))
  return allowed.slice(from, from + count)
}
