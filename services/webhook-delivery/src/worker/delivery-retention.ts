import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import { removeOldAttemptHours, removeOldDeliveries } from '../store/retention.ts'

const intervalMs = 600_000
const batchSize = 500

/** Creates the worker that deletes deliveries, their attempts and hourly counts after their retention, in batches. */
export function createDeliveryRetention({
  database,
  log,
  metrics,
  settings,
}: Pick<Context, 'database' | 'log' | 'metrics' | 'settings'>): Worker {
  async function pass(): Promise<'more' | 'idle'> {
    const removed = await removeOldDeliveries(database.worker, settings.retentionDays, batchSize)
    metrics.count('webhook_deliveries_removed_total', {}, removed)
    const hours = await removeOldAttemptHours(database.worker, batchSize)
    return removed === batchSize || hours === batchSize ? 'more' : 'idle'
  }
  return createLoop({ name: 'delivery retention', pass, pollMs: intervalMs, log })
}
