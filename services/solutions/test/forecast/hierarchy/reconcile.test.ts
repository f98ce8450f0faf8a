import { describe, expect, it } from '@jest/globals'
import { createReconciler, type ErrorTable } from '../../../src/forecast/hierarchy/reconcile/reconcile.ts'
import { makeNonNegative } from '../../../src/forecast/hierarchy/reconcile/reconcile-backtest.ts'
import { leavesBelow, type Tree } from '../../../src/forecast/hierarchy/tree.ts'
import { gaussian, randomOf } from '../signals.ts'
import { largestGap, randomTree } from './random-tree.ts'

type Matrix = number[][]

const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => (b[0] ?? []).map((_, column) => row.reduce((sum, x, k) => sum + x * (b[k]?.[column] ?? 0), 0)))
const transpose = (a: Matrix): Matrix => (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? 0))

/** Inverts by Gauss and Jordan. */
function inverse(matrix: Matrix): Matrix {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))])
  for (let i = 0; i < size; i += 1) {
    const best = rows.reduce(
      (top, row, at) => (at >= i && Math.abs(row[i] ?? 0) > Math.abs(rows[top]?.[i] ?? 0) ? at : top),
      i,
    )
    const [a, b] = [rows[i] ?? [], rows[best] ?? []]
    rows[best] = a
    rows[i] = b.map((value) => value / (b[i] ?? 1))
    rows.forEach((row, at) => {
      const factor = row[i] ?? 0
      if (at !== i) rows[at] = row.map((value, column) => value - factor * (rows[i]?.[column] ?? 0))
    })
  }
  return rows.map((row) => row.slice(size))
}

/** The formula of Wickramasuriya et al. (2019) with dense matrices: S (S' W⁻¹ S)⁻¹ S' W⁻¹ y. */
function textbook(tree: Tree, covariance: Matrix, forecasts: number[]): number[] {
  const leaves = tree.children.flatMap((below, number) => (below.length === 0 ? [number] : []))
  const below = leavesBelow(tree)
  const sums: Matrix = tree.children.map((_, number) => leaves.map((leaf) => (below[number]?.includes(leaf) ? 1 : 0)))
  const weighted = multiply(transpose(sums), inverse(covariance))
  const bottom = multiply(
    inverse(multiply(weighted, sums)),
    multiply(
      weighted,
      forecasts.map((value) => [value]),
    ),
  )
  return multiply(sums, bottom).map(([value = 0]) => value)
}

function randomErrors(random: () => number, nodes: number, days: number): ErrorTable {
  const moments = 40
  const shared = Float64Array.from({ length: moments }, () => gaussian(random))
  const rows = Array.from({ length: nodes }, (_, number) =>
    shared.map((common) => (1 + (number % 3)) * (gaussian(random) + common)),
  )
  return { rows, moments, days }
}

describe.each([1, 2, 3, 4])('reconciliation of random tree %d', (seed) => {
  const random = randomOf(seed)
  const tree = randomTree(random, 9)
  const forecasts = Float64Array.from({ length: 9 }, () => 50 * random())

  it.each([
    ['a shrunk covariance', 90],
    ['variances alone', 5],
  ])('equals the dense formula with %s', (_, days) => {
    const errors = randomErrors(random, 9, days)
    const { shrinkage, reconcile } = createReconciler(tree, errors)
    if (days < 56) expect(shrinkage).toBe(1)
    else expect(shrinkage).toBeLessThan(0.9)
    const covariance = errors.rows.map((a, i) =>
      errors.rows.map(
        (b, j) => (i === j ? 1 : 1 - shrinkage) * (a.reduce((sum, x, t) => sum + x * (b[t] ?? 0), 0) / 40),
      ),
    )
    const reconciled = forecasts.slice()
    reconcile(reconciled, null)
    textbook(tree, covariance, [...forecasts]).forEach((value, number) => {
      expect(reconciled[number]).toBeCloseTo(value, 8)
    })
  })

  it('adds up and keeps nodes that are certain', () => {
    const { reconcile } = createReconciler(tree, randomErrors(random, 9, 90))
    const leaf = tree.children.findIndex((below) => below.length === 0)
    const reconciled = forecasts.map((value, number) => (number === leaf ? 0 : value))
    reconcile(
      reconciled,
      Float64Array.from(forecasts, (__, number) => (number === leaf ? 0 : 1)),
    )
    expect(reconciled[leaf]).toBe(0)
    expect(largestGap(tree, reconciled)).toBeLessThan(1e-6)
  })
})

it('keeps large random trees coherent and non-negative, with the sum of the root', () => {
  for (let seed = 10; seed < 30; seed += 1) {
    const random = randomOf(seed)
    const tree = randomTree(random, 60)
    const forecasts = Float64Array.from({ length: 60 }, () => 20 * gaussian(random) + 5)
    createReconciler(tree, randomErrors(random, 60, 90)).reconcile(forecasts, null)
    const root = Math.max(0, forecasts[0] ?? 0)
    makeNonNegative(tree, forecasts, new Uint8Array(60).fill(1))
    expect(largestGap(tree, forecasts)).toBeLessThan(1e-6)
    expect(Math.min(...forecasts)).toBeGreaterThanOrEqual(0)
    expect(forecasts[0]).toBeCloseTo(root, 6)
  }
})
