import { workspaceDeletionStarted } from '@wp/contracts'
import { serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import { startDataDeletion } from '@wp/jobs/data-deletion'
import type { Context } from '../../context.ts'
import { workerQuery } from '../../store/cross-workspace.ts'
import {
  type DueDeletion,
  endClientSessions,
  findDueDeletions,
  moveDeletion,
} from '../../store/workspaces/workspace-deletions.ts'
import { deletionPolicy } from './deletion-policy.ts'
import { reportingServices } from './deletion-view.ts'

/** The queue of wake-ups for the coordinator. */
export const coordinatorQueue = 'workspace_deletions'

const batchSize = 10
/** Longest delay after the end of a grace period. What else continues a deletion wakes the coordinator. */
const pollMs = 15_000

/**
 * Returns the schedule that leads the deletions of workspaces: it starts them at the end of the grace period, and when
 * every other service has reported, deletes the rows of auth itself.
 */
export function deletionSchedule({ database }: Pick<Context, 'database'>): Schedule {
  async function pass(): Promise<'more' | 'idle'> {
    const due = await findDueDeletions(workerQuery(database.worker), reportingServices, batchSize)
    for (const deletion of due) await continueDeletion(deletion)
    return due.length === batchSize ? 'more' : 'idle'
  }

  async function continueDeletion({ deletionId, workspaceId, shard, status }: DueDeletion) {
    const caller = serviceCaller('auth', { shard, workspaceId, requestId: deletionId })
    await database.background.transact(caller, async (tx) => {
      if (status === 'running')
        return await startDataDeletion(tx, { deletionId, workspaceId, shard }, 0, deletionPolicy)
      if (!(await moveDeletion(tx.query, deletionId, 'scheduled', 'running'))) return
      await endClientSessions(tx.query, workspaceId)
      tx.emitInternal(workspaceDeletionStarted, { deletion_id: deletionId })
    })
  }

  return { name: 'workspace deletions', everyMs: pollMs, wakeQueue: coordinatorQueue, pass }
}
