import type { Grid } from '../series/grid.ts'
import type { Score } from '../shapes.ts'
import type { BacktestResult } from './backtest.ts'
import type { Fold } from './folds.ts'

/** The scores of one model over all folds: mean absolute error, and the relative figures in the response. */
export interface ModelScore extends Score {
  result: BacktestResult
  error: number
}

/** Scores a backtest on observed values only. */
export function scoreOf(result: BacktestResult, folds: Fold[], { values, observed }: Grid, scale: number): ModelScore {
  let errors = 0
  let sizes = 0
  let count = 0
  folds.forEach(({ origin, cells }, fold) => {
    for (let ahead = 0; ahead < cells; ahead += 1) {
      if (!observed[origin + ahead]) continue
      const actual = values[origin + ahead] ?? 0
      errors += Math.abs(actual - (result.predictions[fold]?.[ahead] ?? 0))
      sizes += Math.abs(actual)
      count += 1
    }
  })
  const error = count > 0 ? errors / count : 0
  return { name: result.name, result, error, mase: ratio(error, scale), wape: ratio(errors, sizes) }
}

/**
 * Returns the scale of MASE (Hyndman & Koehler 2006): the mean absolute error of the seasonal naive forecast in the
 * history before the first fold, or in all of it if that is too short or has no error. One scale for all folds keeps
 * candidates comparable.
 */
export function naiveScale(grid: Grid, folds: Fold[], season: number): number {
  const before = Math.min(...folds.map(({ origin }) => origin))
  return seasonalDifference(grid, season, before) || seasonalDifference(grid, season, grid.values.length)
}

/** Returns the mean absolute error of the seasonal naive forecast before the index `end`; 0 if there is none. */
export function seasonalDifference({ values, observed }: Grid, season: number, end: number): number {
  let sum = 0
  let count = 0
  for (let i = season; i < end; i += 1) {
    if (!observed[i] || !observed[i - season]) continue
    sum += Math.abs((values[i] ?? 0) - (values[i - season] ?? 0))
    count += 1
  }
  return count > 0 ? sum / count : 0
}

function ratio(part: number, whole: number): number | null {
  if (whole > 0) return part / whole
  return part === 0 ? 0 : null
}
