import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { listJobs } from '@wp/jobs'
import { enqueueRelease, integrationIdsOf } from '../agents/integration-references.ts'
import type { Operation } from '../context.ts'
import { cancelRun } from '../runs/change-run.ts'
import { agentRunQueue } from '../runs/queue.ts'
import { deleteAgentRow, findAndLockAgent } from '../store/agents/agents.ts'
import type { RunKey } from '../store/runs/runs.ts'
import { deleteTriggersOf } from '../store/triggers/triggers.ts'
import type { LiveEvents } from '../streams/live-events.ts'

/** Deletes an agent and cancels its runs. Its versions stay, for its runs. */
export const deleteAgent: Operation<'deleteAgent'> = ({ database, liveEvents }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const { content } = await findAndLockAgent(tx, workspaceId, params.agent_id, 'update')
    await cancelRuns(tx, liveEvents, { workspaceId, agentId: params.agent_id })
    await deleteTriggersOf(tx.db, workspaceId, params.agent_id)
    await deleteAgentRow(tx.db, workspaceId, params.agent_id)
    for (const integrationId of integrationIdsOf(content))
      await enqueueRelease(tx, { resourceId: params.agent_id, integrationId })
    return { id: params.agent_id }
  })

/**
 * Cancels the queued and running runs of an agent and ends their streams. The transaction has locked the agent with
 * `update`: no other transaction can start a run of it before the commit.
 */
async function cancelRuns(
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
