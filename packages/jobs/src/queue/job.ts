import type { Caller, JobError, JobState } from '@wp/contracts'
import type { Query } from '@wp/database'

/** A job as it stands in `platform.jobs`: the resource itself, there is no second row for its state. */
export interface Job {
  id: string
  queue: string
  /** Empty for work that belongs to no workspace. */
  workspaceId: string
  /** What it is about, for lists. */
  subject: string | null
  exclusive: string | null
  state: JobState
  input: unknown
  /** Who asked, with the scopes of then; null for schedules. */
  caller: Caller | null
  /** 0 to 1. */
  progress: number
  /** What is known while it runs; a further try goes on from it. */
  detail: Record<string, unknown>
  /** What `finish` was given; null before. */
  result: unknown
  error: JobError | null
  metadata: Record<string, string>
  externalId: string | null
  /** Not before this. */
  runAt: Date
  /** Runners that died or fell silent at it. */
  lostLeases: number
  /** Those of them after which it has not come further, by a checkpoint. */
  lostSinceCheckpoint: number
  /** Tries that ended in a retryable failure. */
  failures: number
  createdAt: Date
  updatedAt: Date
  /** The first time. */
  startedAt: Date | null
  finishedAt: Date | null
}

/** The columns of a job, as the fields above, the two that may be large from these expressions. */
export const jobColumnsWith = ({ input, result }: { input: string; result: string }): string =>
  `id, queue, workspace_id AS "workspaceId", subject, exclusive, state, ${input}, caller, progress,
  detail, ${result}, error, metadata, external_id AS "externalId", run_at AS "runAt", lost_leases AS "lostLeases",
  lost_leases - lost_before AS "lostSinceCheckpoint", failures, created_at AS "createdAt", updated_at AS "updatedAt", started_at AS "startedAt",
  finished_at AS "finishedAt"`

/** The columns of a job, as the fields above. */
export const jobColumns = jobColumnsWith({ input: 'input', result: 'result' })

/** Where SQL can be sent: a transaction, or the query of a read. */
export type QuerySource = Query | { query: Query }

export const queryOf = (source: QuerySource): Query => (typeof source === 'function' ? source : source.query)

/** What every job shows of its life, as the contracts' `jobFields`. */
export function jobFields(job: Job) {
  return {
    status: job.state,
    progress: job.progress,
    error: job.error,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}

/** Under this name it is announced that jobs of a queue were cancelled. */
export const cancelQueue = (queue: string): string => `${queue}_cancelled`
