import { createLoop } from '@wp/events'
import type { Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { deleteExpiredRows } from '../store/expired-rows.ts'
import { workerQuery } from '../store/worker-query.ts'

/** Rows one statement removes; small, so that no lock is held long. */
const batchSize = 1_000

/** Removes counters, tokens and sessions that have ended. */
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
  return createLoop({ name: 'session sweep', pass, pollMs: 600_000, log })
}
