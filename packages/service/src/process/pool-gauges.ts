import type { Database } from '@wp/database'
import type { Metrics } from '@wp/runtime'

/** Creates the pass that reports how the connections of a database's pools are used. */
export function createPoolGaugesPass({
  database,
  metrics,
}: {
  database: Pick<Database, 'poolUsage'>
  metrics: Metrics
}): () => Promise<'idle'> {
  return async () => {
    for (const { name: pool, size, inUse, waiting } of database.poolUsage()) {
      metrics.gauge('database_pool_size', size, { pool })
      metrics.gauge('database_pool_in_use', inUse, { pool })
      metrics.gauge('database_pool_waiting', waiting, { pool })
    }
    return 'idle'
  }
}
