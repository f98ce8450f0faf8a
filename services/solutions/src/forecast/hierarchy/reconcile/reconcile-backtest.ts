import { foldsApart, minFolds, minTraining } from '../hierarchy-folds.ts'
import type { NodeResult } from '../node/node-forecast.ts'
import type { PreparedHierarchy } from '../prepare.ts'
import type { Tree } from '../tree.ts'
import { createReconciler, type ErrorTable, type Reconciler } from './reconcile.ts'

/** Reconciled forecasts of each node: of each fold, and of the days to come. */
export interface ReconciledForecasts {
  folds: Float64Array[][]
  future: Float64Array[]
}

/** Moments that covariances are estimated from. */
const maxMoments = 400

/** Reconciles the forecasts of all nodes; those of a fold with the errors of folds that share no day with it. */
export function reconcileAll(prepared: PreparedHierarchy, results: readonly NodeResult[]): ReconciledForecasts {
  const { tree, tasks, backs, horizon } = prepared
  const isNonNegative = Uint8Array.from(tasks, (task) => (task.isNonNegative ? 1 : 0))
  const reconcile = ({ reconcile: solve }: Reconciler, forecasts: Float64Array[]): Float64Array[] => {
    const reconciled = forecasts.map(() => new Float64Array(horizon))
    for (let day = 0; day < horizon; day += 1) {
      const one = Float64Array.from(forecasts, (forecast) => forecast[day] ?? 0)
      solve(one, certainScales(one))
      makeNonNegative(tree, one, isNonNegative)
      one.forEach((value, number) => {
        const row = reconciled[number]
        if (row) row[day] = value
      })
    }
    return reconciled
  }
  const every = backs.map((_, fold) => fold)
  const folds = backs.map((_, fold) => {
    const reconciler = createReconciler(tree, errorTable(prepared, results, foldsApart(backs, horizon, fold)))
    const forecasts = results.map((result) => result.folds[fold] ?? new Float64Array(horizon))
    return reconcile(reconciler, forecasts)
  })
  const final = createReconciler(tree, errorTable(prepared, results, every))
  const futures = results.map((result) => result.future)
  return { folds, future: reconcile(final, futures) }
}

/**
 * Returns the value of a node on a day of a fold; NaN if it was not observed. Of a node that began within the history,
 * the error of a forecast from fewer days of use than any has would tell nothing of the time since.
 */
export function actualAt({ tasks, backs }: PreparedHierarchy, number: number, fold: number, ahead: number): number {
  const task = tasks[number]
  if (task === undefined) return Number.NaN
  const origin = task.values.length - (backs[fold] ?? 0)
  const index = origin + ahead
  if (task.begin > 0 && origin < task.begin + minTraining && fold < backs.length - minFolds) return Number.NaN
  return task.observed[index] ? (task.values[index] ?? Number.NaN) : Number.NaN
}

function errorTable(prepared: PreparedHierarchy, results: readonly NodeResult[], folds: number[]): ErrorTable {
  const { backs, horizon } = prepared
  const all = folds.flatMap((fold) => Array.from({ length: horizon }, (_, ahead) => ({ fold, ahead })))
  // A stride that is not a multiple of 7 keeps every weekday.
  let stride = Math.max(1, Math.ceil(all.length / maxMoments))
  if (stride % 7 === 0) stride += 1
  const sampled = all.filter((_, index) => index % stride === 0)
  const rows = results.map((result, number) => {
    const errors = Float64Array.from(
      sampled,
      ({ fold, ahead }) => actualAt(prepared, number, fold, ahead) - (result.folds[fold]?.[ahead] ?? 0),
    )
    const known = errors.reduce((count, error) => count + (Number.isNaN(error) ? 0 : 1), 0)
    // Errors that are not known count as 0; the variance stays that of those that are.
    const factor = Math.sqrt(errors.length / Math.max(1, known))
    return errors.map((error) => (Number.isNaN(error) ? 0 : error * factor))
  })
  const distinct = new Set(sampled.map(({ fold, ahead }) => (backs[fold] ?? 0) - ahead)).size
  return { rows, moments: sampled.length, days: distinct }
}

/** Returns 0 for nodes whose forecast is certain, which is 0 since they are closed, 1 for others. Null if all are 1. */
const certainScales = (forecasts: Float64Array): Float64Array | null =>
  forecasts.includes(0) ? forecasts.map((forecast) => (forecast === 0 ? 0 : 1)) : null

/**
 * Makes reconciled forecasts non-negative, in place, and sums them exactly. From the roots down, the children of a node
 * are cut at 0 and scaled to its forecast, so that what is cut of one child is taken from the others and not added to
 * the sum (as in Di Fonzo & Girolimetto 2023, but from the top). A child that can be negative takes the difference.
 */
export function makeNonNegative(tree: Tree, forecasts: Float64Array, isNonNegative: Uint8Array): void {
  for (const number of tree.bottomUp.toReversed()) {
    const children = tree.children[number] ?? []
    if (tree.parents[number] === -1 && isNonNegative[number]) forecasts[number] = Math.max(0, forecasts[number] ?? 0)
    let kept = 0
    for (const child of children) {
      if (!isNonNegative[child]) continue
      forecasts[child] = Math.max(0, forecasts[child] ?? 0)
      kept += forecasts[child] ?? 0
    }
    const signed = children.filter((child) => !isNonNegative[child])
    const others = signed.slice(1).reduce((sum, child) => sum + (forecasts[child] ?? 0), 0)
    const [first] = signed
    if (first !== undefined) forecasts[first] = (forecasts[number] ?? 0) - kept - others
    else if (kept > 0 && isNonNegative[number]) {
      for (const child of children) forecasts[child] = ((forecasts[child] ?? 0) * (forecasts[number] ?? 0)) / kept
    }
  }
  sumUp(tree, forecasts)
}

/** Replaces the forecast of each parent by the sum of its children's. */
function sumUp({ bottomUp, children }: Tree, forecasts: Float64Array): void {
  for (const number of bottomUp) {
    const below = children[number] ?? []
    if (below.length > 0) forecasts[number] = below.reduce((sum, child) => sum + (forecasts[child] ?? 0), 0)
  }
}
