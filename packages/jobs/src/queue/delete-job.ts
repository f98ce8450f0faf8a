import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { cancelQueue } from '@wp/events'
import type { JobKey } from './list-jobs.ts'

/**
 * Deletes a job in any state with the commit of the transaction. A runner that has it is interrupted and can no longer
 * write, as after `cancelJob`.
 *
 * @throws Problem `not_found`
 */
export async function deleteJob(tx: Transaction, { workspaceId, queue, id }: JobKey): Promise<void> {
  const deleted = await tx.query(
    'DELETE FROM platform.jobs WHERE id = $1 AND queue = $2 AND workspace_id = $3 RETURNING 1',
    [id, queue, workspaceId ?? ''],
  )
  if (deleted.length === 0) throw new Problem('not_found')
  tx.wake(cancelQueue(queue))
}
