import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'
import { deleteExpiredViews } from '../../../store/search/search-views.ts'

/** Views deleted by one statement, to keep locks short. */
const batchViews = 200
const pollMs = 60_000

/** Creates the worker that deletes the rankings of searches whose cursors have expired. */
export function createViewRetention({
  database,
  log,
  metrics,
}: {
  database: Pick<Database, 'worker'>
  log: Log
  metrics: Metrics
}): Worker {
  async function pass(): Promise<'more' | 'idle'> {
    const deleted = await deleteExpiredViews(database.worker, batchViews)
    metrics.count('retention_removed_total', { table: 'search_views' }, deleted)
    return deleted === batchViews ? 'more' : 'idle'
  }
  return createLoop({ name: 'retention of search views', pass, pollMs, log })
}
