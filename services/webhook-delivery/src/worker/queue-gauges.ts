import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import { countBlockedEndpoints, countDueDeliveries } from '../store/queue-counts.ts'

/** Returns the schedule that measures due deliveries, and endpoints that are held or disabled with deliveries due. */
export function queueGaugesSchedule({ database, metrics }: Pick<Context, 'database' | 'metrics'>): Schedule {
  async function pass(): Promise<'idle'> {
    metrics.gauge('webhook_deliveries_due', await countDueDeliveries(database.worker))
    const { held, disabled } = await countBlockedEndpoints(database.worker)
    metrics.gauge('webhook_endpoints_held', held, { by: 'breaker' })
    metrics.gauge('webhook_endpoints_held', disabled, { by: 'disabled' })
    return 'idle'
  }
  return { name: 'delivery queue gauges', everyMs: 15_000, pass }
}
