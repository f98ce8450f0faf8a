import { daysAfterMonday } from '../../../workplace/local-days.ts'
import type { History, Model } from '../../models/index.ts'
import { factorize } from '../cholesky.ts'
import { featuresOf, type KnownColumn, type SparseRows } from './regression-features.ts'
import type { SpecialDays } from './special-days.ts'

interface RegressionOptions {
  special: SpecialDays
  hasYearlySeason: boolean
  covariate: KnownColumn | null
}

const maxSteps = 10
/** The largest change of a logarithm in one step. */
const maxChange = 2
/** After a change this small, the next one is less than a hundredth: Newton's steps converge quadratically. */
const tolerance = 0.05
const halfLifeDays = 365
/** Residuals beyond so many standard deviations weigh less (Huber 1964), so that an unknown event changes little. */
const robustBound = 3
/** The last days whose level is compared with the fit, and the variance of levels that is not noise. */
const recentDays = 28
const levelVariance = 0.05 ** 2
const minDays = 56
const minYearlyDays = 364
const maxLogarithm = 25

/**
 * Predicts by a regression of counts with effects that multiply: a quasi-Poisson model with a normal prior of each
 * effect (McCullagh & Nelder 1989, chapter 9), fitted by Newton steps. The mean of the last four weeks corrects its
 * level. Values must not be negative.
 */
export function countRegression(name: string, options: RegressionOptions): Model {
  return {
    name,
    needs: options.hasYearlySeason ? minYearlyDays : minDays,
    predict: (history, cells) => {
      const { first, values } = history
      const end = first + values.length
      const { scales, rowsOf } = featuresOf({ from: first, end, ...options })
      const rows = rowsOf(first, values.length)
      const { effects, dispersion } = fit(history, rows, scales)
      const isOrdinary = (index: number): boolean => !options.special.has(first + index)
      const level = recentLevel(history, rows, effects, dispersion, isOrdinary)
      const ahead = rowsOf(end, cells)
      return Float64Array.from({ length: cells }, (_, index) => level * expected(ahead, index, effects))
    },
  }
}

interface Fit {
  effects: Float64Array
  /** The variance of a value, as a multiple of its mean. */
  dispersion: number
}

function fit({ values, observed, first }: History, rows: SparseRows, scales: number[]): Fit {
  const size = scales.length
  // A weekday without any value has no logarithm; its forecast is 0 whatever is fitted.
  const totals = new Float64Array(7)
  for (let index = 0; index < values.length; index += 1) {
    const weekday = daysAfterMonday(first + index)
    totals[weekday] = (totals[weekday] ?? 0) + (values[index] ?? 0)
  }
  const used = Uint32Array.from(values.keys()).filter(
    (index) => (observed?.[index] ?? 1) === 1 && (totals[daysAfterMonday(first + index)] ?? 0) > 0,
  )
  const mean = used.reduce((sum, index) => sum + (values[index] ?? 0), 0) / Math.max(1, used.length)
  const effects = new Float64Array(size)
  if (mean <= 0) return { effects: effects.fill(-maxLogarithm, 0, 1), dispersion: 1 }
  effects[0] = Math.log(mean)
  let dispersion = Math.max(
    1e-9,
    used.reduce((sum, index) => sum + ((values[index] ?? 0) - mean) ** 2, 0) / used.length / mean,
  )
  const matrix = new Float64Array(size * size)
  for (let step = 0; step < maxSteps; step += 1) {
    matrix.fill(0)
    const gradient = new Float64Array(size)
    let chiSquare = 0
    for (const index of used) {
      const count = values[index] ?? 0
      const rate = expected(rows, index, effects)
      const deviation = (count - rate) / Math.sqrt(dispersion * Math.max(rate, 1e-9))
      const robust = Math.min(1, robustBound / Math.abs(deviation))
      const weight = (robust * 0.5 ** ((values.length - 1 - index) / halfLifeDays)) / dispersion
      // Few values of a quiet day give no scale: without a bound they would be everything.
      chiSquare += dispersion * Math.min(deviation ** 2, robustBound ** 2)
      addRow(matrix, gradient, rows, index, weight * rate, weight * (count - rate))
    }
    for (let i = 0; i < size; i += 1) {
      const precision = 1 / (scales[i] ?? 1) ** 2
      matrix[i * size + i] = (matrix[i * size + i] ?? 0) + precision
      gradient[i] = (gradient[i] ?? 0) - precision * ((effects[i] ?? 0) - (i === 0 ? Math.log(mean) : 0))
    }
    const change = factorize({ size, values: matrix })(gradient)
    const largest = change.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    const share = Math.min(1, maxChange / Math.max(largest, 1e-12))
    for (let i = 0; i < size; i += 1) effects[i] = (effects[i] ?? 0) + share * (change[i] ?? 0)
    dispersion = Math.max(1e-9, chiSquare / Math.max(1, used.length - size / 2))
    if (largest < tolerance) break
  }
  return { effects, dispersion }
}

function expected({ starts, columns, values }: SparseRows, index: number, effects: Float64Array): number {
  let sum = 0
  const end = starts[index + 1] ?? 0
  for (let at = starts[index] ?? 0; at < end; at += 1) sum += (values[at] ?? 0) * (effects[columns[at] ?? 0] ?? 0)
  return Math.exp(Math.max(-maxLogarithm, Math.min(maxLogarithm, sum)))
}

function addRow(
  matrix: Float64Array,
  gradient: Float64Array,
  { starts, columns, values }: SparseRows,
  index: number,
  weight: number,
  slope: number,
): void {
  const size = gradient.length
  const start = starts[index] ?? 0
  const end = starts[index + 1] ?? 0
  for (let a = start; a < end; a += 1) {
    const i = columns[a] ?? 0
    const value = values[a] ?? 0
    const weighted = weight * value
    gradient[i] = (gradient[i] ?? 0) + value * slope
    for (let b = start; b <= a; b += 1) {
      const j = columns[b] ?? 0
      const at = i > j ? i * size + j : j * size + i
      matrix[at] = (matrix[at] ?? 0) + weighted * (values[b] ?? 0)
    }
  }
}

/** Returns the factor of the level of the last weeks, shrunk to 1 as far as it can be noise. */
function recentLevel(
  { values, observed }: History,
  rows: SparseRows,
  effects: Float64Array,
  dispersion: number,
  isOrdinary: (index: number) => boolean,
): number {
  let actual = 0
  let fitted = 0
  for (let index = Math.max(0, values.length - recentDays); index < values.length; index += 1) {
    if (!isOrdinary(index) || observed?.[index] === 0) continue
    actual += values[index] ?? 0
    fitted += expected(rows, index, effects)
  }
  if (actual <= 0 || fitted <= 0) return 1
  const share = levelVariance / (levelVariance + dispersion / fitted)
  return Math.min(2, Math.max(0.5, actual / fitted)) ** share
}
