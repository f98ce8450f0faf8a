import { independentFolds } from '../hierarchy-folds.ts'
import type { PreparedHierarchy } from '../prepare.ts'
import { actualAt, type ReconciledForecasts } from '../reconcile/reconcile-backtest.ts'
import { leavesBelow } from '../tree.ts'
import { splitErrors } from './error-model.ts'
import { seededRandom } from './random.ts'
import { type SignedRemainder, simulatePaths } from './simulate-paths.ts'

/**
 * Simulates paths of all leaves around means of all nodes, with the errors of some folds. `first` is the first day;
 * `places` are the numbers of leaves among the paths, -1 for other nodes.
 */
export type Simulate = ((means: Float64Array[], first: number, folds: number[], count: number) => Float32Array) & {
  places: Int32Array
}

/** Prepares the errors of all leaves once for several simulations. */
export function createSimulator(prepared: PreparedHierarchy, { folds }: ReconciledForecasts, seed: number): Simulate {
  const { tree, tasks, remainders, backs, horizon } = prepared
  const leaves = tree.children.flatMap((children, number) => (children.length === 0 ? [number] : []))
  const places = new Int32Array(tasks.length).fill(-1)
  leaves.forEach((leaf, place) => {
    places[leaf] = place
  })
  const below = leavesBelow(tree)
  const signed = tree.bottomUp.flatMap((parent): SignedRemainder[] => {
    const leaf = remainders[parent] ?? -1
    if (leaf < 0 || tasks[leaf]?.isNonNegative || !tasks[parent]?.isNonNegative) return []
    const others = (below[parent] ?? []).filter((other) => other !== leaf)
    return [{ leaf: places[leaf] ?? 0, others: others.map((other) => places[other] ?? 0) }]
  })
  const backtests = leaves.map((leaf) => {
    const task = tasks[leaf]
    const values = task?.values ?? new Float64Array()
    const errorsOf = (isSpecial: boolean): Float64Array[] =>
      folds.map((forecasts, fold) =>
        Float64Array.from(forecasts[leaf] ?? [], (forecast, ahead) => {
          const day = prepared.firstDay - (backs[fold] ?? 0) + ahead
          const isAsked = (task?.special.has(day) ?? false) === isSpecial
          return isAsked ? actualAt(prepared, leaf, fold, ahead) - forecast : Number.NaN
        }),
      )
    return {
      predictions: folds.map((forecasts) => forecasts[leaf] ?? new Float64Array(horizon)),
      errors: errorsOf(false),
      specialErrors: errorsOf(true),
      size: values.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, values.length),
      isNonNegative: task?.isNonNegative ?? true,
    }
  })
  const simulate = (means: Float64Array[], first: number, used: number[], count: number): Float32Array =>
    simulatePaths(
      leaves.map((leaf, place) => ({
        errors: splitErrors(backtests[place] ?? noBacktest, used),
        mean: means[leaf] ?? new Float64Array(horizon),
        isNonNegative: tasks[leaf]?.isNonNegative ?? true,
        isSpecial: Uint8Array.from({ length: horizon }, (_, day) => (tasks[leaf]?.special.has(first + day) ? 1 : 0)),
      })),
      { count, remainders: signed, random: seededRandom(seed), independent: independentFolds(backs, used, horizon) },
    )
  return Object.assign(simulate, { places })
}

const noBacktest = { predictions: [], errors: [], specialErrors: [], size: 0, isNonNegative: true }
