import type { Caller } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type Job, jobColumns } from './job.ts'

export interface NewJob {
  id: string
  queue: string
  /** What it is about, for lists. */
  subject?: string | null | undefined
  /** While a job of the queue that names it is queued or running, a second one is refused. */
  exclusive?: string | null | undefined
  /** JSON. */
  input: unknown
  /** Who asked; left out or null: the service itself, by a schedule. */
  caller?: Caller | null | undefined
  /** Not before this; default at once. */
  runAt?: Date | undefined
  metadata?: Record<string, string> | undefined
  externalId?: string | null | undefined
  /** What to throw where `exclusive` refuses; default JobConflict. */
  conflict?: Error | undefined
}

/** A job with the same `exclusive` is queued or runs. */
export class JobConflict extends Error {
  override readonly name = 'JobConflict'
}

/**
 * Puts a job into its queue, with the transaction's commit, in the transaction's workspace. A runner takes it up at
 * once.
 *
 * @throws JobConflict, or what was given as `conflict`
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
  )
  if (row === undefined) throw job.conflict ?? new JobConflict(`a job of ${queue} for ${exclusive} has not ended`)
  tx.wake(queue)
  return row
}
