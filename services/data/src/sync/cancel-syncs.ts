import type { Transaction } from '@wp/database'
import { cancelJob, listJobs } from '@wp/jobs'
import { queue } from './sync-job.ts'

/** Cancels the queued and running syncs of a source. @param onlyStarted keeps syncs that have not started */
export async function cancelSyncs(
  tx: Transaction,
  workspaceId: string,
  subject: string,
  { onlyStarted = false }: { onlyStarted?: boolean } = {},
): Promise<void> {
  for (const state of ['queued', 'running'] as const)
    for (let hasMore = true; hasMore; ) {
      const { items, nextCursor } = await listJobs(tx.query, { workspaceId, queue, subject, state, limit: 100 })
      for (const { id, startedAt } of items)
        if (!onlyStarted || startedAt !== null) await cancelJob(tx, { workspaceId, queue, id })
      hasMore = nextCursor !== null
    }
}
