import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from './context.ts'
import { workerQuery } from './store/cross-workspace.ts'
import { deleteExpiredRows } from './store/expired-rows.ts'

/** Rows per statement; small, to keep locks short. */
const batchSize = 1_000

/** Creates the worker that deletes expired counters, tokens, logins and sessions. */
export function createExpiredRowCleanup({
  database,
  log,
  metrics,
}: Pick<Context, 'database' | 'log' | 'metrics'>): Worker {
  async function pass(): Promise<'more' | 'idle'> {
    const deleted = await deleteExpiredRows(workerQuery(database.worker), batchSize)
    for (const { table, removed } of deleted) metrics.count('auth_removed_total', { table }, removed)
    return deleted.some(({ removed }) => removed === batchSize) ? 'more' : 'idle'
  }
  return createLoop({ name: 'expired row cleanup', pass, pollMs: 600_000, log })
}
