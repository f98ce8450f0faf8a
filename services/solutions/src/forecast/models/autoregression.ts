import { quantile } from '../statistics.ts'
import { type GramMatrix, gramOfLags, type RowShare, solveNormalEquations, subtractRows } from './gram-matrix.ts'

export interface AutoregressionOptions {
  /** The number of lags. */
  order: number
  hasConstant: boolean
}

/** A linear recursion: the next value from the last ones. */
export interface Autoregression {
  /** The coefficient of each lag, the last value first. */
  coefficients: Float64Array
  constant: number
}

/** Ridge penalties, in units of the root mean square of the series. */
const lagPenalty = 3
const constantPenalty = 0.001
/**
 * Residuals beyond this number of standard deviations lose weight (Huber 1964); the deviation is that of the median.
 */
const huberCut = 1.5 * 1.4826
const huberRounds = 2

/**
 * Fits an autoregression by ridge regression, reweighted so that outliers do not move it.
 * @param isUsable 0 where a value must not be a target, because it was not observed; it is still a lag of later ones
 */
export function fitAutoregression(
  values: Float64Array,
  { order, hasConstant }: AutoregressionOptions,
  isUsable?: Uint8Array,
): Autoregression {
  const scale = rootMeanSquare(values)
  if (scale === 0 || values.length <= order) return { coefficients: new Float64Array(order), constant: 0 }
  const scaled = values.map((value) => value / scale)
  const { usable, unusable } = splitRows(scaled.length, order, isUsable)
  const all = subtractRows(gramOfLags(scaled, order), scaled, unusable)
  const unknowns = order + (hasConstant ? 1 : 0)
  const solve = (gram: GramMatrix): Float64Array =>
    solveNormalEquations(gram, unknowns, (index) => (index < order ? lagPenalty : constantPenalty))
  let solution = solve(all)
  for (let round = 0; round < huberRounds; round += 1) {
    const residuals = residualsOf(solution, scaled, order)
    const sizes = Float64Array.from(usable, (t) => Math.abs(residuals[t] ?? 0))
    const cut = huberCut * quantile(sizes.toSorted(), 0.5)
    // More than half of the values may be predicted exactly, such as the hours in which a room is empty.
    if (cut < 1e-9) break
    const outliers: RowShare[] = []
    sizes.forEach((size, row) => {
      if (size > cut) outliers.push({ t: usable[row] ?? 0, share: 1 - cut / size })
    })
    solution = solve(subtractRows(all, scaled, outliers))
  }
  return { coefficients: solution.slice(0, order), constant: hasConstant ? scale * (solution[order] ?? 0) : 0 }
}

function splitRows(
  length: number,
  order: number,
  isUsable: Uint8Array | undefined,
): { usable: number[]; unusable: RowShare[] } {
  const usable: number[] = []
  const unusable: RowShare[] = []
  for (let t = order; t < length; t += 1) {
    if (isUsable === undefined || isUsable[t] === 1) usable.push(t)
    else unusable.push({ t, share: 1 })
  }
  return { usable, unusable }
}

/** Continues a series step by step. Each value is kept within the bounds, so that no recursion can run away. */
export function continueSeries(
  { coefficients, constant }: Autoregression,
  values: Float64Array,
  cells: number,
  { low, high }: { low: number; high: number },
): Float64Array {
  const order = coefficients.length
  const known = Math.min(order, values.length)
  const row = new Float64Array(order + cells)
  row.set(values.subarray(values.length - known), order - known)
  for (let t = order; t < row.length; t += 1) {
    let next = constant
    for (let lag = 1; lag <= order; lag += 1) next += (coefficients[lag - 1] ?? 0) * (row[t - lag] ?? 0)
    row[t] = Math.min(high, Math.max(low, next))
  }
  return row.slice(order)
}

/**
 * Returns each value less its prediction. Lag by lag, which a processor does faster than value by value.
 * @param solution the coefficients of the lags, and after them the constant, if there is one
 */
function residualsOf(solution: Float64Array, values: Float64Array, order: number): Float64Array {
  const constant = solution[order] ?? 0
  const residuals = values.map((value) => value - constant)
  for (let lag = 1; lag <= order; lag += 1) {
    const coefficient = solution[lag - 1] ?? 0
    for (let t = order; t < values.length; t += 1)
      residuals[t] = (residuals[t] ?? 0) - coefficient * (values[t - lag] ?? 0)
  }
  return residuals
}

export function rootMeanSquare(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length))
}
