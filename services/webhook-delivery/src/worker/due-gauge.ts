import { createLoop } from '@wp/events'
import type { Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { countDue } from '../store/upkeep.ts'

/** Tells the operator how much is waiting. */
export function createDueGauge({ database, log, metrics }: Context): Worker {
  async function pass(): Promise<'idle'> {
    metrics.gauge('webhook_deliveries_due', await countDue(database.worker))
    return 'idle'
  }
  return createLoop({ name: 'count of due deliveries', pass, pollMs: 15_000, log })
}
