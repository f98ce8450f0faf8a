import { expect, it } from '@jest/globals'
import { gramOfLags, solveNormalEquations, subtractRows } from '../../../src/forecast/models/gram-matrix.ts'
import { gaussian, randomOf } from '../signals.ts'

/** The sums of products by their definition: row t is x(t), x(t-1), …, x(t-order) and 1. */
function plainGram(values: Float64Array, order: number, weightOf: (t: number) => number): Float64Array {
  const size = order + 2
  const sums = new Float64Array(size * size)
  for (let t = order; t < values.length; t += 1) {
    const row = Array.from({ length: size }, (_, lag) => (lag <= order ? (values[t - lag] ?? Number.NaN) : 1))
    row.forEach((a, i) => {
      row.forEach((b, j) => {
        sums[i * size + j] = (sums[i * size + j] ?? 0) + weightOf(t) * a * b
      })
    })
  }
  return sums
}

const random = randomOf(30)
/** Series of all lengths from one row on, with all orders up to 20. */
const cases = Array.from({ length: 60 }, () => {
  const order = 1 + Math.floor(20 * random())
  const length = order + 1 + Math.floor(80 * random())
  return { order, values: Float64Array.from({ length }, () => 3 * gaussian(random) + 1) }
})

it('the matrix built along its diagonals equals the sums of products', () => {
  for (const { order, values } of cases) {
    const plain = plainGram(values, order, () => 1)
    for (const [index, sum] of gramOfLags(values, order).sums.entries())
      expect(sum).toBeCloseTo(plain[index] ?? Number.NaN, 8)
  }
})

it('the matrix without shares of rows equals the weighted sums of products', () => {
  for (const { order, values } of cases) {
    const shares = Array.from(values, () => (random() < 0.3 ? random() : 0))
    const rows = shares.flatMap((share, t) => (t >= order && share > 0 ? [{ t, share }] : []))
    const plain = plainGram(values, order, (t) => 1 - (shares[t] ?? 0))
    const { size, sums } = subtractRows(gramOfLags(values, order), values, rows)
    for (let i = 0; i < size; i += 1)
      for (let j = i; j < size; j += 1) expect(sums[i * size + j]).toBeCloseTo(plain[i * size + j] ?? Number.NaN, 8)
  }
})

it('the solution satisfies the penalized normal equations', () => {
  for (const { order, values } of cases) {
    const { size, sums } = gramOfLags(values, order)
    const penalty = (unknown: number): number => 0.5 + unknown
    const solution = solveNormalEquations({ size, sums }, order + 1, penalty)
    for (let i = 0; i <= order; i += 1) {
      const left = solution.reduce((sum, value, j) => sum + value * (sums[(i + 1) * size + j + 1] ?? 0), 0)
      expect(left + penalty(i) * (solution[i] ?? 0)).toBeCloseTo(sums[i + 1] ?? Number.NaN, 6)
    }
  }
})
