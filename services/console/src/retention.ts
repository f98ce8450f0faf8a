import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from './context.ts'
import { deleteExpiredRows } from './store/retention.ts'

/** Rows per statement; small, to keep locks short. */
const batchRows = 1_000
const pollMs = 600_000

/** Creates the worker that deletes expired sessions and sign-ins. */
export function createSessionRetention({
  database,
  log,
  metrics,
  now,
}: Pick<Context, 'database' | 'log' | 'metrics' | 'now'>): Worker {
  async function pass(): Promise<'more' | 'idle'> {
    const deleted = await deleteExpiredRows(database.worker, new Date(now()), batchRows)
    for (const { table, removed } of deleted) metrics.count('retention_removed_total', { table }, removed)
    return deleted.some(({ removed }) => removed === batchRows) ? 'more' : 'idle'
  }
  return createLoop({ name: 'retention of sessions', pass, pollMs, log })
}
