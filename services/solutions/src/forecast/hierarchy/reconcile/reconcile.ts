import { factorize } from '../cholesky.ts'
import type { Tree } from '../tree.ts'

/** Past errors of all nodes: a row of the same moments for each node. */
export interface ErrorTable {
  rows: Float64Array[]
  moments: number
  /** The number of different days they are of: folds overlap. */
  days: number
}

export interface Reconciler {
  /** The share by which correlations are shrunk to 0. */
  shrinkage: number
  /**
   * Changes forecasts of all nodes, in place, so that they add up.
   * @param scales the standard error of each node at this step as a multiple of the usual one; 0 keeps its forecast
   */
  reconcile: (forecasts: Float64Array, scales: Float64Array | null) => void
}

/** Below this number of days, only variances are used (weighted least squares). */
const minDays = 56
/** Keeps the covariance positive definite. */
const leastShrinkage = 0.01
/** The least variance of a node, as a share of the mean one. */
const varianceFloor = 1e-6

/**
 * Reconciles by minimum trace with a shrunk covariance of the errors (MinT; Wickramasuriya, Athanasopoulos & Hyndman
 * 2019): of all forecasts that add up, the one with the least expected squared error.
 *
 * With C the matrix of constraints, a row for each parent less its children, the forecasts are y - W C'(C W C')⁻¹ C y.
 * The covariance W = λ D + (1 - λ) E E'/T is never written out: only products of the errors E are, so that the work is
 * parents² · T + parents³/3 once, and (nodes + parents) · T for each forecast.
 */
export function createReconciler(tree: Tree, errors: ErrorTable): Reconciler {
  const { rows, moments } = errors
  const raw = rows.map((row) => row.reduce((sum, error) => sum + error * error, 0) / Math.max(1, moments))
  const floor = Math.max(1e-12, (varianceFloor * raw.reduce((sum, one) => sum + one, 0)) / Math.max(1, raw.length))
  const variances = Float64Array.from(raw, (variance) => Math.max(variance, floor))
  const shrinkage = errors.days < minDays ? 1 : shrinkageOf(rows, variances, errors)
  const parents = tree.bottomUp.filter((number) => (tree.children[number]?.length ?? 0) > 0)
  const solvers = new Map<string, (forecasts: Float64Array) => void>()
  return {
    shrinkage,
    reconcile(forecasts, scales) {
      const key = scales === null ? '' : scales.join()
      const solve = solvers.get(key) ?? solverFor({ tree, parents, rows, moments, variances, shrinkage, scales })
      if (solvers.size < maxSolvers) solvers.set(key, solve)
      solve(forecasts)
    },
  }
}

/** Solvers kept, one for each combination of closed nodes. */
const maxSolvers = 8

interface Problem {
  tree: Tree
  parents: readonly number[]
  rows: readonly Float64Array[]
  moments: number
  variances: Float64Array
  shrinkage: number
  scales: Float64Array | null
}

function solverFor({ tree, parents, rows, moments, variances, shrinkage, scales }: Problem) {
  const { children } = tree
  const size = parents.length
  const scaleOf = (number: number): number => scales?.[number] ?? 1
  const diagonal = variances.map((variance, number) => shrinkage * variance * scaleOf(number) ** 2)
  const share = (1 - shrinkage) / Math.max(1, moments)
  const usesErrors = share > 0
  const gaps = parents.map((parent) => {
    const gap = new Float64Array(usesErrors ? moments : 0)
    const add = (number: number, sign: number): void => {
      const factor = sign * scaleOf(number)
      const row = rows[number] ?? gap
      for (let t = 0; t < gap.length; t += 1) gap[t] = (gap[t] ?? 0) + factor * (row[t] ?? 0)
    }
    add(parent, 1)
    for (const child of children[parent] ?? []) add(child, -1)
    return gap
  })
  const places = new Map(parents.map((parent, place) => [parent, place]))
  const values = new Float64Array(size * size)
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; usesErrors && b <= a; b += 1) values[a * size + b] = share * dot(gaps[a], gaps[b])
    const parent = parents[a] ?? 0
    const own = values[a * size + a] ?? 0
    const below = (children[parent] ?? []).reduce((sum, child) => sum + (diagonal[child] ?? 0), 0)
    values[a * size + a] = own + (diagonal[parent] ?? 0) + below
    for (const child of children[parent] ?? []) {
      const b = places.get(child)
      // Parents are bottom up, so that a parent is after its children: the lower triangle.
      if (b !== undefined) values[a * size + b] = (values[a * size + b] ?? 0) - (diagonal[child] ?? 0)
    }
  }
  const solve = factorize({ size, values })
  return (forecasts: Float64Array): void => {
    const multipliers = solve(
      Float64Array.from(parents, (parent) =>
        (children[parent] ?? []).reduce((gap, child) => gap - (forecasts[child] ?? 0), forecasts[parent] ?? 0),
      ),
    )
    const moment = new Float64Array(usesErrors ? moments : 0)
    gaps.forEach((gap, place) => {
      const factor = share * (multipliers[place] ?? 0)
      for (let t = 0; t < moment.length; t += 1) moment[t] = (moment[t] ?? 0) + factor * (gap[t] ?? 0)
    })
    for (let number = 0; number < forecasts.length; number += 1) {
      const own = multipliers[places.get(number) ?? -1] ?? 0
      const above = multipliers[places.get(tree.parents[number] ?? -1) ?? -1] ?? 0
      const correlated = usesErrors ? scaleOf(number) * dot(rows[number], moment) : 0
      const change = (diagonal[number] ?? 0) * (own - above) + correlated
      forecasts[number] = (forecasts[number] ?? 0) - change
    }
  }
}

/**
 * Returns the shrinkage of correlations with the least expected squared error (Schäfer & Strimmer 2005). Sums over
 * pairs of nodes are sums over pairs of moments, of which there are fewer.
 */
function shrinkageOf(rows: readonly Float64Array[], variances: Float64Array, { moments, days }: ErrorTable): number {
  const standard = rows.map((row, number) => row.map((error) => error / Math.sqrt(variances[number] ?? 1)))
  const columns = Array.from({ length: moments }, (_, t) => Float64Array.from(standard, (row) => row[t] ?? 0))
  let squares = 0
  let fourth = 0
  for (let s = 0; s < moments; s += 1) {
    for (let t = 0; t < s; t += 1) squares += 2 * dot(columns[s], columns[t]) ** 2
    const own = dot(columns[s], columns[s])
    squares += own ** 2
    fourth += own ** 2
  }
  // The pairs of a node with itself are no correlations.
  for (const row of standard) {
    squares -= dot(row, row) ** 2
    fourth -= row.reduce((sum, value) => sum + value ** 4, 0)
  }
  if (squares <= 0) return 1
  const noise = (fourth - squares / moments) / (moments - 1) / days
  return Math.min(1, Math.max(leastShrinkage, noise / (squares / moments ** 2)))
}

function dot(a: Float64Array = new Float64Array(), b: Float64Array = new Float64Array()): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
