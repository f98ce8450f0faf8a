import { type Database, newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import { listDeliveredCounts, takeDeliveredCount } from '../store/delivered-counts.ts'

/** Interval of the reports. */
const intervalMs = 5_000
/** Workspaces of a transaction. */
const batchSize = 25

/**
 * Returns the schedule that reports the deliveries of each workspace to billing: added when the attempts are counted,
 * and moved to the outbox here, so that none is reported twice.
 */
export function usageReportSchedule({
  database,
}: {
  database: Pick<Database, 'shard' | 'transact' | 'worker'>
}): Schedule {
  async function report(workspaceIds: readonly string[]): Promise<void> {
    const caller = serviceCaller('webhook-delivery', {
      shard: database.shard,
      workspaceId: null,
      requestId: newId('evt'),
    })
    await database.transact(caller, async (tx) => {
      for (const workspaceId of workspaceIds) {
        await tx.switchWorkspace({ workspaceId, shard: database.shard })
        const quantity = await takeDeliveredCount(tx.query, workspaceId)
        if (quantity > 0) tx.recordUsage({ meter: 'deliveries', quantity, subject: workspaceId, dimensions: {} })
      }
    })
  }

  async function pass(signal: AbortSignal): Promise<'idle'> {
    let after = ''
    while (!signal.aborted) {
      const workspaceIds = await listDeliveredCounts(database.worker, { after, limit: batchSize })
      if (workspaceIds.length > 0) await report(workspaceIds)
      if (workspaceIds.length < batchSize) return 'idle'
      after = workspaceIds.at(-1) ?? after
    }
    return 'idle'
  }

  return { name: 'usage reports', everyMs: intervalMs, pass }
}
