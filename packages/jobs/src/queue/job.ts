import type { Caller, JobError, JobState } from '@wp/contracts'
import type { Query } from '@wp/database'

/** A row of `platform.jobs`. The row is the resource itself; its state is not stored elsewhere. */
export interface Job {
  id: string
  queue: string
  /** Empty for a job without a workspace. */
  workspaceId: string
  /** Identifier of the resource the job is about, for lists. */
  subject: string | null
  exclusive: string | null
  state: JobState
  input: unknown
  /** Caller who started the job, with its scopes at that time; null for a scheduled job. */
  caller: Caller | null
  /** 0 to 1. */
  progress: number
  /** Intermediate state, from which a later attempt continues. */
  detail: Record<string, unknown>
  /** Result passed to `finish`; null before. */
  result: unknown
  error: JobError | null
  metadata: Record<string, string>
  externalId: string | null
  /** Earliest start. */
  runAt: Date
  /** Leases that expired without renewal: their runner died or lost the database. */
  lostLeases: number
  /** Lost leases since the last checkpoint. */
  lostSinceCheckpoint: number
  /** Attempts that ended with a retryable failure. */
  failures: number
  createdAt: Date
  updatedAt: Date
  /** Start of the first attempt. */
  startedAt: Date | null
  finishedAt: Date | null
}

/** Returns the column list of a job, with expressions for the two columns that may be large. */
export const jobColumnsWith = ({ input, result }: { input: string; result: string }): string =>
  `id, queue, workspace_id, subject, exclusive, state, ${input}, caller, progress,
  detail, ${result}, error, metadata, external_id, run_at, lost_leases,
  lost_leases - lost_before AS lost_since_checkpoint, failures, created_at, updated_at, started_at,
  finished_at`

export const jobColumns = jobColumnsWith({ input: 'input', result: 'result' })

/** A transaction, or the query function of a read. */
export type QuerySource = Query | { query: Query }

export const queryOf = (source: QuerySource): Query => (typeof source === 'function' ? source : source.query)

/** Returns the fields common to all jobs in the API, as declared by `jobFields` of contracts. */
export function jobFields(job: Pick<Job, 'state' | 'progress' | 'error' | 'createdAt' | 'startedAt' | 'finishedAt'>) {
  return {
    status: job.state,
    progress: job.progress,
    error: job.error,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}

export interface JobKey {
  /** Null for jobs without a workspace. */
  workspaceId: string | null
  queue: string
  id: string
}

/** Returns a job; null if the workspace has no job with this id in the queue. */
export async function getJob(source: QuerySource, { workspaceId, queue, id }: JobKey): Promise<Job | null> {
  const [job] = await queryOf(source)<Job>(
    `SELECT ${jobColumns} FROM platform.jobs WHERE id = $1 AND queue = $2 AND workspace_id = $3`,
    [id, queue, workspaceId ?? ''],
    'get_job',
  )
  return job ?? null
}
