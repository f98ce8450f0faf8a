import type { JobError } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Checkpoint } from './checkpoint.ts'
import { type Job, jobColumns } from './job.ts'
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
