import type { Grid } from '../series/grid.ts'
import type { BacktestResult } from './backtest.ts'
import { type Fold, overlappingFolds } from './folds.ts'

export const combinationName = 'combination'

/** Absolute errors are averaged as this power of them: between counting large errors alike and not at all. */
const errorPower = 0.7
/** The power that a weight falls with: a model whose errors are a tenth larger has less than half of the weight. */
const weightPower = 12

export interface Combination {
  /** The weight of each model, of all folds. */
  weights: Float64Array
  /** The backtest of the combination. Each fold has the weights of folds that do not overlap it. */
  result: BacktestResult
}

/**
 * Weights models by their errors: in proportion to (mean |error|^0.7)^-12. The inner power keeps a few large errors
 * from deciding, and at the same time many values that are repeated exactly, such as the zeros of the night. A model
 * without any error has all of the weight.
 */
export function combine(results: BacktestResult[], folds: Fold[], grid: Grid): Combination {
  const errors = results.map((result) => errorSums(result, folds, grid))
  const predictions = folds.map((fold, number) => {
    const apart = overlappingFolds(fold, folds)
    const others = apart.size < folds.length ? apart : new Set([number])
    const weights = weightsFrom(errors, others)
    const forecasts = results.map((result) => result.predictions[number] ?? new Float64Array())
    return weightedMean(forecasts, weights)
  })
  return { weights: weightsFrom(errors, new Set()), result: { name: combinationName, predictions } }
}

/** Returns the weighted mean of forecasts of the same length. Weights need not add up to 1. */
export function weightedMean(forecasts: Float64Array[], weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = new Float64Array(forecasts[0]?.length ?? 0)
  for (const [index, forecast] of forecasts.entries()) {
    const share = (weights[index] ?? 0) / total
    if (share === 0) continue
    for (let ahead = 0; ahead < mean.length; ahead += 1) {
      mean[ahead] = (mean[ahead] ?? 0) + share * (forecast[ahead] ?? 0)
    }
  }
  return mean
}

/** Sums of powers of absolute errors by fold, and the number of observed values. */
interface ErrorSums {
  sums: Float64Array
  counts: Float64Array
}

function errorSums({ predictions }: BacktestResult, folds: Fold[], { values, observed }: Grid): ErrorSums {
  const sums = new Float64Array(folds.length)
  const counts = new Float64Array(folds.length)
  folds.forEach(({ origin, cells }, fold) => {
    for (let ahead = 0; ahead < cells; ahead += 1) {
      if (!observed[origin + ahead]) continue
      const error = Math.abs((values[origin + ahead] ?? 0) - (predictions[fold]?.[ahead] ?? 0))
      sums[fold] = (sums[fold] ?? 0) + error ** errorPower
      counts[fold] = (counts[fold] ?? 0) + 1
    }
  })
  return { sums, counts }
}

function weightsFrom(errors: ErrorSums[], excluded: ReadonlySet<number>): Float64Array {
  const total = (values: Float64Array): number =>
    values.reduce((sum, value, fold) => (excluded.has(fold) ? sum : sum + value), 0)
  const means = errors.map(({ sums, counts }) => total(sums) / Math.max(1, total(counts)))
  const least = Math.min(...means)
  return Float64Array.from(means, (mean) => (mean === least ? 1 : (least / mean) ** weightPower))
}
