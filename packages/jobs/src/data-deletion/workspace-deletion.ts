import type { RetainedTable } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { cancelQueue } from '@wp/events'
import { insertDeletionRecord } from './deletion-record.ts'

/** Rows of a workspace that a service deleted. */
export interface DeletionReport {
  deletionId: string
  workspaceId: string
  /** Numbers of deleted rows by table. */
  deleted: Record<string, number>
  retained: RetainedTable[]
}

/** The part of a service in the deletion of a workspace. By default all rows of the workspace are deleted. */
export interface WorkspaceDeletionPolicy {
  /** Tables (`schema.table`) whose rows stay, with the reason. */
  retained?: Readonly<Record<string, string>>
  /** Stops what the service does for the workspace, in the transaction in which the deletion begins. Must be short. */
  onStarted?: (tx: Transaction, workspaceId: string) => Promise<void>
  /** Runs in the transaction that ends the deletion. Default: the report is emitted. */
  onDeleted?: (tx: Transaction, report: DeletionReport) => Promise<void>
}

/** The queue of wake-ups for the deletions of a service. */
export const deletionQueue = 'workspace_deletion'

/**
 * Starts the deletion of the rows of the transaction's workspace: removes its schedules and cancels its jobs at once,
 * and lets the deletion worker begin after the commit. Idempotent.
 *
 * @param deletion.shard the cell of the workspace
 * @param settleMs time for which rows may still be added; the last pass follows after it
 */
export async function startDataDeletion(
  tx: Transaction,
  deletion: { deletionId: string; workspaceId: string; shard: string },
  settleMs: number,
  { onStarted }: WorkspaceDeletionPolicy = {},
): Promise<void> {
  await insertDeletionRecord(tx.query, deletion, settleMs)
  await onStarted?.(tx, deletion.workspaceId)
  // Before the jobs: a run that is being enqueued is waited for here, and cancelled with them.
  await tx.query('DELETE FROM platform.schedules WHERE workspace_id = $1', [deletion.workspaceId])
  const cancelled = await tx.query<{ queue: string }>(
    `UPDATE platform.jobs SET state = 'cancelled', lease_token = NULL, lease_until = NULL, finished_at = now(),
       updated_at = now()
     WHERE workspace_id = $1 AND state IN ('queued', 'running') RETURNING queue`,
    [deletion.workspaceId],
  )
  for (const queue of new Set(cancelled.map((job) => job.queue))) tx.wake(cancelQueue(queue))
  tx.wake(deletionQueue)
}
