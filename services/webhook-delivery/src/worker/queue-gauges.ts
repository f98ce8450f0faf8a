import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import { countBlockedEndpoints, countDueDeliveries } from '../store/queue-counts.ts'

/** Creates the worker that measures due deliveries, and endpoints that are held or disabled with deliveries due. */
export function createQueueGauges({ database, log, metrics }: Pick<Context, 'database' | 'log' | 'metrics'>): Worker {
  async function pass(): Promise<'idle'> {
    metrics.gauge('webhook_deliveries_due', await countDueDeliveries(database.worker))
    const { held, disabled } = await countBlockedEndpoints(database.worker)
    metrics.gauge('webhook_endpoints_held', held, { by: 'breaker' })
    metrics.gauge('webhook_endpoints_held', disabled, { by: 'disabled' })
    return 'idle'
  }
  return createLoop({ name: 'delivery queue gauges', pass, pollMs: 15_000, log })
}
