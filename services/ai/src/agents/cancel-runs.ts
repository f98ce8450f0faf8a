import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { listJobs } from '@wp/jobs'
import { cancelRun } from '../runs/cancel-run.ts'
import { agentRunQueue } from '../runs/queue.ts'
import type { RunKey } from '../store/runs/runs.ts'
import type { LiveEvents } from '../streams/live-events.ts'

/**
 * Cancels the queued and running runs of an agent and ends their streams. The transaction has locked the agent with
 * `update`: no other transaction can start a run of it before the commit.
 */
export async function cancelRuns(
  tx: Transaction,
  live: LiveEvents,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
): Promise<void> {
  const jobs = { workspaceId, queue: agentRunQueue, subject: agentId, limit: 100, omit: { result: true } }
  for (const state of ['queued', 'running'] as const)
    for (let hasMore = true; hasMore; ) {
      const { items, nextCursor } = await listJobs(tx.query, { ...jobs, state })
      for (const { id } of items) await cancelUnlessEnded(tx, live, { runId: id, workspaceId })
      hasMore = nextCursor !== null
    }
}

/** A run may end between the read of the list and its cancellation. */
async function cancelUnlessEnded(tx: Transaction, live: LiveEvents, key: RunKey): Promise<void> {
  try {
    await cancelRun(tx, live, key)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  }
}
