import type { Transaction } from '@wp/database'
import { cancelJob, listJobs } from '@wp/jobs'
import { queue } from './sync-job.ts'

/** Cancels every sync of a source that has not ended, or of these only what has begun. */
export async function cancelSyncs(
  tx: Transaction,
  workspaceId: string,
  subject: string,
  { begun = false }: { begun?: boolean } = {},
): Promise<void> {
  for (const state of ['queued', 'running'] as const)
    for (let isMore = true; isMore; ) {
      const { items, nextCursor } = await listJobs(tx.query, { workspaceId, queue, subject, state, limit: 100 })
      for (const { id, startedAt } of items)
        if (!begun || startedAt !== null) await cancelJob(tx, { workspaceId, queue, id })
      isMore = nextCursor !== null
    }
}
