import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { cancelJob, type JobKey, listJobs } from '@wp/jobs'
import { agentRunQueue } from '../runs/queue.ts'

/**
 * Cancels the queued and running runs of an agent, which the transaction has locked with `update`: no other transaction
 * can start a run of it before the commit.
 */
export async function cancelRuns(tx: Transaction, workspaceId: string, agentId: string): Promise<void> {
  const jobs = { workspaceId, queue: agentRunQueue, subject: agentId, limit: 100, omit: { result: true } }
  for (const state of ['queued', 'running'] as const)
    for (let hasMore = true; hasMore; ) {
      const { items, nextCursor } = await listJobs(tx.query, { ...jobs, state })
      for (const { id } of items) await cancelUnlessEnded(tx, { workspaceId, queue: agentRunQueue, id })
      hasMore = nextCursor !== null
    }
}

/** A run may end between the read of the list and its cancellation. */
async function cancelUnlessEnded(tx: Transaction, key: JobKey): Promise<void> {
  try {
    await cancelJob(tx, key)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  }
}
