import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import { countBlockedEndpoints, countDueDeliveries } from '../store/retention.ts'

/** Tells the operator how much is waiting, and how many endpoints hold it up. */
export function createQueueGauges({ database, log, metrics }: Context): Worker {
  async function pass(): Promise<'idle'> {
    metrics.gauge('webhook_deliveries_due', await countDueDeliveries(database.worker))
    const { held, disabled } = await countBlockedEndpoints(database.worker)
    metrics.gauge('webhook_endpoints_held', held, { by: 'breaker' })
    metrics.gauge('webhook_endpoints_held', disabled, { by: 'disabled' })
    return 'idle'
  }
  return createLoop({ name: 'count of due deliveries', pass, pollMs: 15_000, log })
}
