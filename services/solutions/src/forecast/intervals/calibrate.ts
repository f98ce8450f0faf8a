import type { Bounds } from '../evaluation/backtest.ts'
import type { Fold } from '../evaluation/folds.ts'
import { CoverageTable } from './coverage-table.ts'
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
  const tables = new Map<number, CoverageTable>()
  const tableOf = (level: number): CoverageTable => {
    const table = tables.get(level) ?? coverageTable(residuals, folds.length, errors, level, bounds)
    tables.set(level, table)
    return table
  }
  return {
    at: (position, level) => intervalFrom(position, errors.near(position), tableOf(level).adjusted(0, level), bounds),
    quantiles: (position, probabilities) => {
      const near = errors.near(position)
      return probabilities.map((p) => Math.max(bounds.low, position.predicted + errorAt(near, p)))
    },
    coverage: (level) => tableOf(level).coverage(0, level),
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

function coverageTable(
  residuals: Residual[],
  folds: number,
  errors: ReturnType<typeof scaledErrorsOf>,
  level: number,
  bounds: Bounds,
): CoverageTable {
  const table = new CoverageTable([level], { groups: 1, folds, adjustments })
  for (const [index, residual] of residuals.entries()) {
    const near = errors.nearWithoutItsFold(index)
    if (near.errors.length === 0) continue
    // Forecasts are sums of products: equal values may differ in their last digits.
    const slack = 1e-9 * Math.max(1, Math.abs(residual.actual))
    table.add(0, residual.fold, (moved) => {
      const { lower, upper } = intervalFrom(residual, near, moved, bounds)
      return residual.actual >= lower - slack && residual.actual <= upper + slack
    })
  }
  return table
}
