import type { Caller } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type Job, jobColumns } from './job.ts'

export interface NewJob {
  id: string
  queue: string
  /** Identifier of the resource the job is about, for lists. */
  subject?: string | null | undefined
  /** At most one job of the queue with this key may be queued or running. */
  exclusive?: string | null | undefined
  /** JSON value. */
  input: unknown
  /** Caller who started the job; omitted or null for a scheduled job of the service. */
  caller?: Caller | null | undefined
  /** Earliest start; default now. */
  runAt?: Date | undefined
  metadata?: Record<string, string> | undefined
  externalId?: string | null | undefined
  /** Thrown if another job holds the `exclusive` key; default JobConflict. */
  conflict?: Error | undefined
}

/** Thrown when a job with the same `exclusive` key is queued or running. */
export class JobConflict extends Error {
  override readonly name = 'JobConflict'
}

/**
 * Adds a job to its queue in the transaction's workspace, and wakes a runner after the commit.
 *
 * @throws JobConflict, or the error given as `conflict`
 */
export async function enqueue(tx: Transaction, job: NewJob): Promise<Job> {
  const { id, queue, subject, exclusive, input, caller, runAt, metadata, externalId } = job
  const [row] = await tx.query<Job>(
    `INSERT INTO platform.jobs
       (id, queue, workspace_id, subject, exclusive, input, caller, run_at, metadata, external_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, now()), $9, $10)
     ON CONFLICT (queue, exclusive) WHERE state IN ('queued', 'running') DO NOTHING
     RETURNING ${jobColumns}`,
    [
      ...[id, queue, tx.workspaceId ?? '', subject ?? null, exclusive ?? null, JSON.stringify(input)],
      ...[caller ? JSON.stringify(caller) : null, runAt ?? null, JSON.stringify(metadata ?? {}), externalId ?? null],
    ],
    'enqueue_job',
  )
  if (row === undefined)
    throw job.conflict ?? new JobConflict(`a job of queue ${queue} with the key ${exclusive} is queued or running`)
  tx.wake(queue)
  return row
}
