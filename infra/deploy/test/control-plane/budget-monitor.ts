import { setTimeout as pause } from 'node:timers/promises'
import { getObjects } from './cluster.ts'

interface Budget {
  metadata: { name: string }
  status?: { currentHealthy: number; desiredHealthy: number; expectedPods: number }
}

/** What a monitor has seen. */
export interface BudgetReport {
  /** The number of times that every budget was compared. */
  comparisons: number
  /** Budgets with fewer healthy pods than they promise, each once. */
  violations: string[]
}

/** Compares the PodDisruptionBudgets of a namespace with its healthy pods, again and again, until it is stopped. */
export function monitorBudgets(namespace: string): { stop(): Promise<BudgetReport> } {
  const stopping = new AbortController()
  const violations = new Set<string>()
  let comparisons = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const { metadata, status } of await getObjects<Budget>([
        'poddisruptionbudgets',
        `--namespace=${namespace}`,
      ])) {
        if (status === undefined) continue
        const { currentHealthy, desiredHealthy, expectedPods } = status
        if (expectedPods > 0 && currentHealthy < desiredHealthy)
          violations.add(`${metadata.name}: ${currentHealthy} healthy, ${desiredHealthy} promised`)
      }
      comparisons += 1
      await pause(200, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      return { comparisons, violations: [...violations] }
    },
  }
}
