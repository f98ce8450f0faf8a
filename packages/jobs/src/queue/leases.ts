import type { JobState } from '@wp/contracts'
import type { Database } from '@wp/database'
import { type Job, jobColumns } from './job.ts'

type WorkerPool = Database['worker']

/** A job that somebody works at, and the token that every write of theirs names. */
export interface Lease {
  job: Job
  token: string
}

/**
 * Takes up jobs that are due, and jobs whose runner let its lease run out, which counts as lost. Time is the
 * database's: the clocks of runners do not matter.
 */
export async function claimJobs(
  worker: WorkerPool,
  { queue, limit, leaseMs }: { queue: string; limit: number; leaseMs: number },
): Promise<Lease[]> {
  const { rows } = await worker.query<Job & { token: string }>(
    `WITH lost AS (
       SELECT id FROM platform.jobs WHERE queue = $1 AND state = 'running' AND lease_until < now()
       ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED
     ), due AS (
       SELECT id FROM platform.jobs WHERE queue = $1 AND state = 'queued' AND run_at <= now()
       ORDER BY run_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), taken AS (
       SELECT id FROM lost UNION ALL SELECT id FROM due LIMIT $2
     )
     UPDATE platform.jobs SET
       lost_leases = lost_leases + (state = 'running')::integer,
       state = 'running',
       lease_token = gen_random_uuid(),
       lease_until = now() + make_interval(secs => $3::float8 / 1000),
       started_at = coalesce(started_at, now()),
       updated_at = now()
     WHERE id IN (SELECT id FROM taken)
     RETURNING lease_token AS token, ${jobColumns}`,
    [queue, limit, leaseMs],
  )
  return rows.map(({ token, ...job }) => ({ token, job }))
}

/** How a lease stands: renewed; untouched, because its own transaction is at the row; or no longer one. */
export type LeaseStatus = 'renewed' | 'busy' | 'cancelled' | 'lost'

/** Renews leases. A row that a finishing transaction holds is passed over, so that it does not hold up the others. */
export async function renewLeases(
  worker: WorkerPool,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Map<Lease, LeaseStatus>> {
  const leaseKeys = [leases.map(({ job }) => job.id), leases.map(({ token }) => token)]
  const renewed = await worker.query<{ token: string }>(
    `UPDATE platform.jobs SET lease_until = now() + make_interval(secs => $3::float8 / 1000)
     WHERE id IN (
       SELECT id FROM platform.jobs JOIN unnest($1::text[], $2::text[]) AS held (held_id, token)
         ON id = held_id AND lease_token = token
       WHERE state = 'running' FOR UPDATE OF jobs SKIP LOCKED)
     RETURNING lease_token AS token`,
    [...leaseKeys, leaseMs],
  )
  const tokens = new Set(renewed.rows.map(({ token }) => token))
  const others = leases.filter(({ token }) => !tokens.has(token))
  const states = await readLeaseStates(worker, others)
  return new Map(leases.map((lease) => [lease, tokens.has(lease.token) ? 'renewed' : leaseStatus(lease, states)]))
}

interface LeaseState {
  state: JobState
  token: string | null
}

async function readLeaseStates(worker: WorkerPool, leases: readonly Lease[]): Promise<Map<string, LeaseState>> {
  if (leases.length === 0) return new Map()
  const { rows } = await worker.query<LeaseState & { id: string }>(
    'SELECT id, state, lease_token AS token FROM platform.jobs WHERE id = ANY ($1)',
    [leases.map(({ job }) => job.id)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

function leaseStatus({ job, token }: Lease, states: ReadonlyMap<string, LeaseState>): LeaseStatus {
  const found = states.get(job.id)
  if (found?.state === 'cancelled') return 'cancelled'
  return found?.state === 'running' && found.token === token ? 'busy' : 'lost'
}

/**
 * Gives a job back to the queue, as if it had not been taken up.
 * @returns false when the lease was no longer held
 */
export async function requeue(worker: WorkerPool, { job, token }: Lease, delayMs: number): Promise<boolean> {
  const { rowCount } = await worker.query(
    `UPDATE platform.jobs SET state = 'queued', lease_token = NULL, lease_until = NULL, updated_at = now(),
       run_at = now() + make_interval(secs => $3::float8 / 1000)
     WHERE id = $1 AND lease_token = $2 AND state = 'running'`,
    [job.id, token, delayMs],
  )
  return rowCount === 1
}

/** Writes how far a job has come. @returns false when the lease was no longer held */
export async function writeProgress(
  worker: WorkerPool,
  { job, token }: Lease,
  fraction: number,
  detail: Record<string, unknown> | undefined,
): Promise<boolean> {
  const { rowCount } = await worker.query(
    `UPDATE platform.jobs SET progress = $3, detail = coalesce($4, detail), updated_at = now()
     WHERE id = $1 AND lease_token = $2 AND state = 'running'`,
    [job.id, token, fraction, detail === undefined ? null : JSON.stringify(detail)],
  )
  return rowCount === 1
}
