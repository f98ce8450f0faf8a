/**
 * Sums of products of lagged values, over the rows `order` to the last one of a series. Row t is x(t), x(t-1), …,
 * x(t-order) and 1: the target, its lags and the constant. Square, row by row, both triangles.
 */
export interface GramMatrix {
  size: number
  sums: Float64Array
}

/**
 * Returns the Gram matrix of lagged values in O(n · order): the element below and to the right of another one is that
 * one plus the product that enters the window, less the product that leaves it.
 */
export function gramOfLags(values: Float64Array, order: number): GramMatrix {
  const { length } = values
  const size = order + 2
  const sums = new Float64Array(size * size)
  const set = (i: number, j: number, sum: number): void => {
    sums[i * size + j] = sum
    sums[j * size + i] = sum
  }
  for (let lag = 0; lag <= order; lag += 1) {
    let sum = 0
    for (let t = order; t < length; t += 1) sum += (values[t] ?? 0) * (values[t - lag] ?? 0)
    set(0, lag, sum)
    for (let i = 0; i + lag < order; i += 1) {
      const enters = (values[order - 1 - i] ?? 0) * (values[order - 1 - i - lag] ?? 0)
      const leaves = (values[length - 1 - i] ?? 0) * (values[length - 1 - i - lag] ?? 0)
      sum += enters - leaves
      set(i + 1, i + 1 + lag, sum)
    }
  }
  let total = 0
  for (let t = order; t < length; t += 1) total += values[t] ?? 0
  for (let lag = 0; lag <= order; lag += 1) {
    set(lag, size - 1, total)
    total += (values[order - 1 - lag] ?? 0) - (values[length - 1 - lag] ?? 0)
  }
  set(size - 1, size - 1, length - order)
  return { size, sums }
}

/** A row of the series, and how much of it is subtracted: 1 for all of it. */
export interface RowShare {
  t: number
  share: number
}

/** Returns the matrix less shares of some rows, in O(rows · order²). Only its upper triangle is valid. */
export function subtractRows({ size, sums }: GramMatrix, values: Float64Array, rows: readonly RowShare[]): GramMatrix {
  const less = sums.slice()
  const row = new Float64Array(size).fill(1)
  for (const { t, share } of rows) {
    for (let i = 0; i < size - 1; i += 1) row[i] = values[t - i] ?? 0
    for (let i = 0; i < size; i += 1) {
      const scaled = share * (row[i] ?? 0)
      const start = i * size
      for (let j = i; j < size; j += 1) less[start + j] = (less[start + j] ?? 0) - scaled * (row[j] ?? 0)
    }
  }
  return { size, sums: less }
}

/**
 * Solves the normal equations for the target (row 0) from the upper triangle by a Cholesky decomposition.
 * @param unknowns how many of the rows after the first take part: without the last one there is no constant
 * @param penaltyOf what is added to the diagonal for an unknown, counted from 0; positive, so that there is a solution
 */
export function solveNormalEquations(
  { size, sums }: GramMatrix,
  unknowns: number,
  penaltyOf: (unknown: number) => number,
): Float64Array {
  const factor = new Float64Array(unknowns * unknowns)
  const solution = new Float64Array(unknowns)
  for (let i = 0; i < unknowns; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = sums[(j + 1) * size + i + 1] ?? 0
      for (let k = 0; k < j; k += 1) sum -= (factor[i * unknowns + k] ?? 0) * (factor[j * unknowns + k] ?? 0)
      if (i === j) factor[i * unknowns + i] = Math.sqrt(Math.max(sum + penaltyOf(i), 1e-9))
      else factor[i * unknowns + j] = sum / (factor[j * unknowns + j] ?? 1)
    }
    let sum = sums[i + 1] ?? 0
    for (let k = 0; k < i; k += 1) sum -= (factor[i * unknowns + k] ?? 0) * (solution[k] ?? 0)
    solution[i] = sum / (factor[i * unknowns + i] ?? 1)
  }
  for (let i = unknowns - 1; i >= 0; i -= 1) {
    let sum = solution[i] ?? 0
    for (let k = i + 1; k < unknowns; k += 1) sum -= (factor[k * unknowns + i] ?? 0) * (solution[k] ?? 0)
    solution[i] = sum / (factor[i * unknowns + i] ?? 1)
  }
  return solution
}
