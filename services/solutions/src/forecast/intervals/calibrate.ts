import type { Bounds } from '../evaluation/backtest.ts'
import type { Fold } from '../evaluation/folds.ts'
import type { ForecastPosition, Residual } from './residuals.ts'
import { errorAt, type ScaledErrors, scaledErrorsOf } from './scaled-errors.ts'

/** The bounds of one prediction interval. */
export interface Interval {
  lower: number
  upper: number
}

export interface Intervals {
  at: (position: ForecastPosition, level: number) => Interval
  /** Returns the quantiles of the value at these probabilities, without the upper bound. */
  quantiles: (position: ForecastPosition, probabilities: readonly number[]) => number[]
  /** Returns the share of past values inside intervals calibrated without overlapping folds; null if none remain. */
  coverage: (level: number) => number | null
}

/** Possible adjustments of a level, as a share of 1 - level. */
const adjustments = [0, -0.05, 0.05, -0.1, 0.1, -0.15, 0.15, -0.2, 0.2, -0.25, 0.3, 0.4, 0.5, 0.6]

/**
 * Derives prediction intervals from backtest errors by split conformal prediction (Vovk et al. 2005; scaled as in Lei
 * et al. 2018): errors divided by their local spread, quantiles of these among forecasts of similar size, times the
 * spread at the new position, and at most the largest error there was.
 *
 * If many values are certain (closed hours are zero), such intervals cover too much overall, though not at busy hours.
 * So the level of the quantiles is adjusted, within limits that keep busy hours accurate, to match the coverage on
 * folds that took no part in the calibration.
 */
export function calibrate(residuals: Residual[], folds: Fold[], bounds: Bounds): Intervals {
  const errors = scaledErrorsOf(residuals, folds)
  const tables = new Map<number, HitTable>()
  const tableOf = (level: number): HitTable => {
    const table = tables.get(level) ?? hitTable(residuals, folds.length, errors, level, bounds)
    tables.set(level, table)
    return table
  }
  return {
    at: (position, level) => {
      const moved = adjustLevel(level, bestAdjustment(tableOf(level), level, null))
      return intervalFrom(position, errors.near(position), moved, bounds)
    },
    quantiles: (position, probabilities) => {
      const near = errors.near(position)
      return probabilities.map((p) => Math.max(bounds.low, position.predicted + errorAt(near, p)))
    },
    coverage: (level) => coverageOf(tableOf(level), level),
  }
}

function intervalFrom(position: ForecastPosition, near: ScaledErrors, level: number, bounds: Bounds): Interval {
  const lower = position.predicted + errorAt(near, (1 - level) / 2)
  const upper = position.predicted + errorAt(near, (1 + level) / 2)
  return {
    lower: Math.min(position.predicted, Math.max(bounds.low, lower)),
    upper: Math.max(position.predicted, Math.min(bounds.high, upper)),
  }
}

/** The number of values per fold, and per adjustment how many of them were inside the interval. */
interface HitTable {
  counts: Float64Array
  hits: Float64Array[]
}

function hitTable(
  residuals: Residual[],
  folds: number,
  errors: ReturnType<typeof scaledErrorsOf>,
  level: number,
  bounds: Bounds,
): HitTable {
  const counts = new Float64Array(folds)
  const hits = adjustments.map(() => new Float64Array(folds))
  residuals.forEach((residual, index) => {
    const near = errors.nearWithoutItsFold(index)
    if (near.errors.length === 0) return
    counts[residual.fold] = (counts[residual.fold] ?? 0) + 1
    adjustments.forEach((adjustment, which) => {
      const { lower, upper } = intervalFrom(residual, near, adjustLevel(level, adjustment), bounds)
      // Forecasts are sums of products: equal values may differ in their last digits.
      const slack = 1e-9 * Math.max(1, Math.abs(residual.actual))
      const row = hits[which]
      if (!row || residual.actual < lower - slack || residual.actual > upper + slack) return
      row[residual.fold] = (row[residual.fold] ?? 0) + 1
    })
  })
  return { counts, hits }
}

/**
 * Returns the adjustment with the coverage nearest to the level, the smaller of equals. Fold `excluded` does not count.
 */
function bestAdjustment({ counts, hits }: HitTable, level: number, excluded: number | null): number {
  const sum = (values: Float64Array): number =>
    values.reduce((total, v, fold) => (fold === excluded ? total : total + v), 0)
  const count = sum(counts)
  if (count === 0) return 0
  let best = 0
  let least = Number.POSITIVE_INFINITY
  adjustments.forEach((movement, which) => {
    const miss = Math.abs(sum(hits[which] ?? counts) / count - level)
    if (miss >= least - 1e-12) return
    least = miss
    best = movement
  })
  return best
}

/** Measures each fold with the adjustment chosen by the other folds. */
function coverageOf(table: HitTable, level: number): number | null {
  let inside = 0
  let all = 0
  table.counts.forEach((count, fold) => {
    const which = adjustments.indexOf(bestAdjustment(table, level, fold))
    inside += table.hits[which]?.[fold] ?? 0
    all += count
  })
  return all > 0 ? inside / all : null
}

function adjustLevel(level: number, movement: number): number {
  return level + movement * (1 - level)
}
