import type { Transaction } from '@wp/database'
import type { JobKey } from './list-jobs.ts'

/**
 * Makes a queued job due with the commit of the transaction, for example one that was suspended.
 *
 * @returns false if the workspace has no queued job with this id
 */
export async function resumeJob(tx: Transaction, { id, queue, workspaceId }: JobKey): Promise<boolean> {
  const resumed = await tx.query(
    `UPDATE platform.jobs SET run_at = now(), updated_at = now()
     WHERE id = $1 AND queue = $2 AND workspace_id = $3 AND state = 'queued' RETURNING 1`,
    [id, queue, workspaceId ?? ''],
  )
  if (resumed.length > 0) tx.wake(queue)
  return resumed.length > 0
}
