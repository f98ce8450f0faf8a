import type { NodeResult } from './node/node-forecast.ts'
import type { PreparedHierarchy } from './prepare.ts'
import { actualAt, type ReconciledForecasts } from './reconcile/reconcile-backtest.ts'
import type { HierarchyAccuracy } from './shapes.ts'

/** Returns the weighted absolute percentage errors of a node over all folds. */
export function measureErrors(
  prepared: PreparedHierarchy,
  results: readonly NodeResult[],
  reconciled: ReconciledForecasts,
  number: number,
): Pick<HierarchyAccuracy, 'wape' | 'wapeNaive'> {
  const { backs, horizon } = prepared
  const errors = { reconciled: 0, naive: 0, size: 0 }
  for (let fold = 0; fold < backs.length; fold += 1) {
    for (let ahead = 0; ahead < horizon; ahead += 1) {
      const actual = actualAt(prepared, number, fold, ahead)
      if (Number.isNaN(actual)) continue
      errors.size += Math.abs(actual)
      errors.reconciled += Math.abs(actual - (reconciled.folds[fold]?.[number]?.[ahead] ?? 0))
      errors.naive += Math.abs(actual - (results[number]?.naive[fold]?.[ahead] ?? 0))
    }
  }
  const share = (error: number): number | null => (errors.size > 0 ? error / errors.size : null)
  return { wape: share(errors.reconciled), wapeNaive: share(errors.naive) }
}
