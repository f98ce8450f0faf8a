import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'

/** Creates the worker that reports how the connections of a database's pools are used. */
export function createPoolGauges(options: {
  database: Pick<Database, 'poolUsage'>
  log: Log
  metrics: Metrics
  pollMs?: number
}): Worker {
  const { database, log, metrics, pollMs = 5_000 } = options
  async function pass(): Promise<'idle'> {
    for (const { name: pool, size, inUse, waiting } of database.poolUsage()) {
      metrics.gauge('database_pool_size', size, { pool })
      metrics.gauge('database_pool_in_use', inUse, { pool })
      metrics.gauge('database_pool_waiting', waiting, { pool })
    }
    return 'idle'
  }
  return createLoop({ name: 'pool gauges', pass, pollMs, log })
}
