import { type JobError, Problem } from '@wp/contracts'
import type { Query, Transaction } from '@wp/database'
import { cancelQueue } from '@wp/events'
import { getJob, type Job, type JobKey, jobColumns } from './job.ts'
import type { Lease } from './leases.ts'

/** Thrown when the lease is gone: the job was cancelled, taken over or requeued. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Locks the row for the transaction, so that the job cannot be cancelled or taken over before the commit.
 *
 * @throws LeaseLost
 */
export async function requireLease(query: Query, { job, token }: Lease): Promise<void> {
  const rows = await query(
    `SELECT FROM platform.jobs WHERE id = $1 AND lease_token = $2 AND state = 'running' FOR UPDATE`,
    [job.id, token],
    'require_job_lease',
  )
  if (rows.length === 0) throw new LeaseLost(`the lease of ${job.id} is lost`)
}

const clearLease = 'lease_token = NULL, lease_until = NULL, updated_at = now()'

export async function writeFinished(query: Query, { job }: Lease, result: unknown): Promise<void> {
  await query(
    `UPDATE platform.jobs SET state = 'finished', progress = 1, result = $2, finished_at = now(), ${clearLease} WHERE id = $1`,
    [job.id, result === undefined ? null : JSON.stringify(result)],
    'finish_job',
  )
}

export async function writeFailed(query: Query, { job }: Lease, error: JobError): Promise<Job> {
  const [failed] = await query<Job>(
    `UPDATE platform.jobs SET state = 'failed', error = $2, finished_at = now(), ${clearLease} WHERE id = $1
     RETURNING ${jobColumns}`,
    [job.id, JSON.stringify(error)],
  )
  return failed ?? { ...job, state: 'failed', error }
}

export async function writeRetry(query: Query, { job }: Lease, delayMs: number): Promise<void> {
  await query(
    `UPDATE platform.jobs SET state = 'queued', failures = failures + 1,
       run_at = now() + make_interval(secs => $2::float8 / 1000), ${clearLease}
     WHERE id = $1`,
    [job.id, delayMs],
  )
}

/** Returns a job to the queue without counting an attempt; it is due after the delay, or when `resumeJob` is called. */
export async function writeSuspended(query: Query, { job }: Lease, delayMs: number): Promise<void> {
  await query(
    `UPDATE platform.jobs SET state = 'queued', lost_before = lost_leases,
       run_at = now() + make_interval(secs => $2::float8 / 1000), ${clearLease}
     WHERE id = $1`,
    [job.id, delayMs],
  )
}

/** Writes a checkpoint and resets the count of lost leases since the last one. */
export async function writeCheckpoint(
  query: Query,
  { job }: Lease,
  { progress, detail, isProgress = true }: Checkpoint,
): Promise<void> {
  await query(
    `UPDATE platform.jobs SET progress = coalesce($2, progress), detail = coalesce($3, detail), updated_at = now(),
       lost_before = CASE WHEN $4 THEN lost_leases ELSE lost_before END
     WHERE id = $1`,
    [job.id, progress ?? null, detail === undefined ? null : JSON.stringify(detail), isProgress],
    'checkpoint_job',
  )
}

/** Selects jobs of one queue in the transaction's workspace, by id or by `exclusive` key. */
export type QueuedJobFilter = { queue: string } & ({ id: string } | { exclusive: string })

/**
 * Cancels jobs that no runner has started, with the commit of the transaction.
 *
 * @returns the number of cancelled jobs; a cancelled job has had no effect
 */
export async function cancelQueuedJobs(tx: Transaction, { queue, ...selector }: QueuedJobFilter): Promise<number> {
  const [column, value] = 'id' in selector ? ['id', selector.id] : ['exclusive', selector.exclusive]
  const cancelled = await tx.query(
    `UPDATE platform.jobs SET state = 'cancelled', finished_at = now(), updated_at = now()
     WHERE queue = $1 AND workspace_id = $2 AND ${column} = $3 AND state = 'queued'
     RETURNING 1`,
    [queue, tx.workspaceId ?? '', value],
  )
  return cancelled.length
}

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

/** State of a job saved by a checkpoint. Omitted fields stay unchanged. */
export interface Checkpoint {
  progress?: number
  detail?: Record<string, unknown>
  /** False for mere preparation: leases lost before it still count towards the poison-job limit. Default true. */
  isProgress?: boolean
}

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
