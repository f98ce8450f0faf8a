import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { createLoop, type Log, type Loop } from '@wp/runtime'
import type { Context } from '../context.ts'
import { listDeliveredCounts, takeDeliveredCount } from '../store/delivered-counts.ts'

/** Interval of the reports. */
const intervalMs = 5_000
/** Workspaces of a transaction. Their next attempts are recorded after it. */
const batchSize = 25

/**
 * Creates the worker that reports the deliveries of each workspace to billing: recorded in one row a workspace in the
 * transaction that records the attempts, and moved to the outbox here, so that none is lost or reported twice.
 */
export function createUsageReporter({ database, log }: Pick<Context, 'database'> & { log: Log }): Loop {
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

  return createLoop({ name: 'usage reports', pass, pollMs: intervalMs, log })
}
