import type { Database } from '@wp/database'
import { type Job, jobColumns } from './job.ts'
import type { Lease } from './leases.ts'

type WorkerPool = Database['worker']

/** A workspace with jobs to claim: due ones, and running ones whose lease has expired. */
export interface WaitingWorkspace {
  workspaceId: string
  /** Number of these jobs, counted up to the limit of the query. */
  due: number
  /** Time at which the workspace was last served; null if not within the retention of `job_turns`. */
  servedAt: string | null
}

/** Number of jobs to claim for a workspace, decided when it had last been served at `servedAt`. */
export interface Grant {
  workspaceId: string
  jobs: number
  servedAt: string | null
}

export interface ClaimResult {
  leases: Lease[]
  /** True if another runner has served one of the workspaces since the decision; there may be more to claim. */
  isContended: boolean
}

/**
 * Finds each workspace with queued jobs by one index probe, however many jobs it has. Every read of jobs has the order
 * of an index: without it the planner prefers to scan the table for a few rows of a long queue.
 */
export const waitingStatement = `
  WITH RECURSIVE queued AS (
    (SELECT workspace_id FROM platform.jobs WHERE queue = $1 AND state = 'queued' ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT following.workspace_id FROM queued CROSS JOIN LATERAL (
      SELECT workspace_id FROM platform.jobs
      WHERE queue = $1 AND state = 'queued' AND workspace_id > queued.workspace_id
      ORDER BY workspace_id LIMIT 1) AS following
  ), lost AS (
    SELECT workspace_id, run_at, id FROM platform.jobs
    WHERE queue = $1 AND state = 'running' AND lease_until < now()
  ), heads AS (
    SELECT workspace_id, run_at, id FROM lost
    UNION ALL
    SELECT queued.workspace_id, due.run_at, due.id FROM queued CROSS JOIN LATERAL (
      SELECT run_at, id FROM platform.jobs
      WHERE queue = $1 AND state = 'queued' AND workspace_id = queued.workspace_id AND run_at <= now()
      ORDER BY run_at, id LIMIT 1) AS due
  ), waiting AS (
    SELECT head.workspace_id, turn.served_at, head.run_at, head.id
    FROM (SELECT DISTINCT ON (workspace_id) * FROM heads ORDER BY workspace_id, run_at, id) AS head
    LEFT JOIN platform.job_turns AS turn ON turn.queue = $1 AND turn.workspace_id = head.workspace_id
    ORDER BY turn.served_at NULLS FIRST, head.run_at, head.id LIMIT $2
  )
  SELECT waiting.workspace_id, waiting.served_at::text AS served_at,
    ((SELECT count(*) FROM lost WHERE lost.workspace_id = waiting.workspace_id) +
     (SELECT count(*) FROM (
        SELECT FROM platform.jobs
        WHERE queue = $1 AND state = 'queued' AND jobs.workspace_id = waiting.workspace_id AND run_at <= now()
        ORDER BY run_at, id LIMIT $2) AS due))::integer AS due
  FROM waiting ORDER BY waiting.served_at NULLS FIRST, waiting.run_at, waiting.id`

/**
 * Returns the workspaces with jobs to claim in the order of their turns: the least recently served first, then by the
 * first of their jobs. At most `limit` workspaces. Uses the clock of the database only.
 */
export async function listWaiting(
  worker: WorkerPool,
  { queue, limit }: { queue: string; limit: number },
): Promise<WaitingWorkspace[]> {
  const { rows } = await worker.query<WaitingWorkspace>({
    name: 'list_waiting_jobs',
    text: waitingStatement,
    values: [queue, limit],
  })
  return rows
}

/**
 * Takes the turn of a workspace only if the workspace was not served since the decision, so that two runners that
 * decided at the same time do not both serve it ahead of others. Rows of `job_turns` are locked in order of their keys
 * and rows of `jobs` without waiting, so that claims cannot deadlock.
 */
const claimStatement = `
  WITH granted AS (
    SELECT * FROM unnest($2::text[], $3::integer[], $4::timestamptz[]) AS granted (workspace_id, jobs, served_at)
  ), lost AS (
    SELECT jobs.id, jobs.workspace_id, jobs.run_at FROM platform.jobs JOIN granted USING (workspace_id)
    WHERE queue = $1 AND state = 'running' AND lease_until < now() FOR UPDATE OF jobs SKIP LOCKED
  ), due AS (
    SELECT found.* FROM granted CROSS JOIN LATERAL (
      SELECT id, workspace_id, run_at FROM platform.jobs
      WHERE queue = $1 AND state = 'queued' AND workspace_id = granted.workspace_id AND run_at <= now()
      ORDER BY run_at, id LIMIT granted.jobs FOR UPDATE SKIP LOCKED) AS found
  ), ranked AS (
    SELECT id, workspace_id, row_number() OVER (PARTITION BY workspace_id ORDER BY run_at, id) AS place
    FROM (SELECT * FROM lost UNION ALL SELECT * FROM due) AS found
  ), picked AS (
    SELECT ranked.id, workspace_id FROM ranked JOIN granted USING (workspace_id) WHERE place <= granted.jobs
  ), taken AS (
    INSERT INTO platform.job_turns AS turn (queue, workspace_id, served_at)
    SELECT $1, workspace_id, clock_timestamp() FROM (SELECT DISTINCT workspace_id FROM picked) AS served
    ORDER BY workspace_id
    ON CONFLICT (queue, workspace_id) DO UPDATE SET served_at = excluded.served_at
      WHERE turn.served_at = (SELECT served_at FROM granted WHERE granted.workspace_id = turn.workspace_id)
    RETURNING workspace_id
  ), claimed AS (
    UPDATE platform.jobs SET
      lost_leases = lost_leases + (state = 'running')::integer,
      state = 'running',
      lease_token = $6::text || gen_random_uuid()::text,
      lease_until = now() + make_interval(secs => $5::float8 / 1000),
      started_at = coalesce(started_at, now()),
      updated_at = now()
    WHERE id = ANY (ARRAY(SELECT picked.id FROM picked JOIN taken USING (workspace_id)))
    RETURNING lease_token AS token, ${jobColumns}
  )
  SELECT (SELECT count(*) FROM picked) > (SELECT count(*) FROM claimed) AS is_contended, claimed.*
  FROM (SELECT) AS one LEFT JOIN claimed ON true`

/**
 * Claims the granted jobs of each workspace in queue order: by start time, whether due or with an expired lease, which
 * counts as a lost lease. A workspace that another runner has served since the decision gets none. Uses the clock of
 * the database only.
 *
 * @param leaseOwner the beginning of the tokens, by which `releaseLeases` finds them
 */
export async function claimJobs(
  worker: WorkerPool,
  {
    queue,
    grants,
    leaseMs,
    leaseOwner = '',
  }: { queue: string; grants: readonly Grant[]; leaseMs: number; leaseOwner?: string | undefined },
): Promise<ClaimResult> {
  const { rows } = await worker.query<Job & { token: string | null; isContended: boolean }>({
    name: 'claim_jobs',
    text: claimStatement,
    values: [
      queue,
      grants.map(({ workspaceId }) => workspaceId),
      grants.map(({ jobs }) => jobs),
      grants.map(({ servedAt }) => servedAt),
      leaseMs,
      leaseOwner,
    ],
  })
  const leases = rows.flatMap(({ token, isContended: _isContended, ...job }) =>
    token === null ? [] : [{ token, job }],
  )
  return { leases, isContended: rows.some(({ isContended }) => isContended) }
}
