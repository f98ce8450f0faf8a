import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { cancelQueue } from '@wp/events'
import { type Job, jobColumns } from './job.ts'
import { getJob, type JobKey } from './list-jobs.ts'

/**
 * Cancels a queued or running job with the commit of the transaction. Its runner is interrupted and can no longer
 * write. Idempotent.
 *
 * @throws Problem `not_found`; `conflict` if the job has finished or failed
 */
export async function cancelJob(tx: Transaction, key: JobKey): Promise<Job> {
  const [cancelled] = await tx.query<Job>(
    `UPDATE platform.jobs
     SET state = 'cancelled', lease_token = NULL, lease_until = NULL, finished_at = now(), updated_at = now()
     WHERE id = $1 AND queue = $2 AND workspace_id = $3 AND state IN ('queued', 'running')
     RETURNING ${jobColumns}`,
    [key.id, key.queue, key.workspaceId ?? ''],
  )
  if (cancelled !== undefined) {
    tx.wake(cancelQueue(key.queue))
    return cancelled
  }
  const job = await getJob(tx, key)
  if (job === null) throw new Problem('not_found')
  if (job.state !== 'cancelled') throw new Problem('conflict', { detail: `The job has already ${job.state}` })
  return job
}
