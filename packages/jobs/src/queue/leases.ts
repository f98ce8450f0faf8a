import type { JobState } from '@wp/contracts'
import type { Database, Query } from '@wp/database'
import type { Job } from './job.ts'

type WorkerPool = Database['worker']

/** A claimed job and the token that its writes require. */
export interface Lease {
  job: Job
  token: string
}

/** Result of a renewal; `busy` if a transaction of the job's own handler holds the row. */
export type LeaseStatus = 'renewed' | 'busy' | 'cancelled' | 'lost'

/** Renews leases. Skips rows locked by a finishing transaction, so that they do not delay the others. */
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
 * Returns a job to the end of the queue without counting an attempt; it is due after the delay.
 *
 * @returns false if the lease was lost
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

/**
 * Returns an interrupted job to its place in the queue without counting an attempt.
 *
 * @returns false if the lease was lost
 */
export async function handBack(worker: WorkerPool, { job, token }: Lease): Promise<boolean> {
  const { rowCount } = await worker.query(
    `UPDATE platform.jobs SET state = 'queued', lease_token = NULL, lease_until = NULL, updated_at = now()
     WHERE id = $1 AND lease_token = $2 AND state = 'running'`,
    [job.id, token],
  )
  return rowCount === 1
}

/**
 * Ends the leases of processes that have died, so that other runners take over their jobs at once. They count as lost.
 *
 * @param owners the `leaseOwner` of their runners
 * @returns the number of leases
 */
export async function releaseLeases(query: Query, owners: readonly string[]): Promise<number> {
  const rows = await query(
    `UPDATE platform.jobs SET lease_until = '-infinity'
     WHERE state = 'running' AND lease_until >= now()
       AND EXISTS (SELECT FROM unnest($1::text[]) AS owner WHERE starts_with(lease_token, owner))
     RETURNING 1`,
    [owners],
  )
  return rows.length
}

/** Writes the progress of a job. @returns false if the lease was lost */
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
