import type { Database, Query, Row } from '@wp/database'
import type { Endpoint } from '#db'
import { leaseLock } from './leases.ts'

/** Ready endpoints of a workspace: those whose last attempt failed, or the others. */
export interface ReadyWorkspace extends Row<Endpoint, 'workspaceId'> {
  isFailing: boolean
  /** Attempts that the in-flight caps of these endpoints allow at most. */
  demand: number
}

/** Attempts of a claim for the ready endpoints of a workspace. */
export interface WorkspaceShare extends ReadyWorkspace {
  slots: number
  maxEndpoints: number
}

/** An endpoint whose row this transaction has locked. */
export interface ReadyEndpoint extends Row<Endpoint, 'webhookId' | 'workspaceId'> {
  isFailing: boolean
  destination: string
}

interface LockedEndpoint extends ReadyEndpoint {
  /** False if another transaction leases deliveries of it, so that this one must not. */
  isLeasable: boolean
}

/** Attempts of a claim for one endpoint. */
export interface EndpointShare extends Row<Endpoint, 'webhookId'> {
  maxRows: number
}

/** Decides whose deliveries a claim takes, once. */
export interface ClaimPolicy {
  /** Endpoints of these destinations are left out. */
  fullDestinations: readonly { workspaceId: string; destination: string }[]
  /** Divides the free slots. @param ready the least recently served workspaces first */
  shareSlots(ready: readonly ReadyWorkspace[]): WorkspaceShare[]
  /** Divides each share among its endpoints. @param endpoints the least recently served first */
  selectRows(shares: readonly WorkspaceShare[], endpoints: readonly ReadyEndpoint[]): EndpointShare[]
}

/** SQL expression, as in the index `endpoints_ready`. */
const readyAt = 'greatest(next_due_at, held_until, saturated_until)'

/** SQL condition: an endpoint has a due delivery, is not held and has free slots. */
const isReady = `next_due_at IS NOT NULL AND is_enabled AND ${readyAt} <= now()`

/** SQL expression: an endpoint whose destination is not known counts as one of its own. */
const destination = 'coalesce(endpoints.destination, endpoints.webhook_id)'

/** SQL condition with the workspaces and destinations of `fullDestinations` as `$1` and `$2`. */
const hasRoom = `NOT EXISTS (SELECT FROM unnest($1::text[], $2::text[]) AS full_at (workspace_id, destination)
  WHERE full_at.workspace_id = endpoints.workspace_id AND full_at.destination = ${destination})`

const toColumns = (destinations: ClaimPolicy['fullDestinations']): [string[], string[]] => [
  destinations.map((each) => each.workspaceId),
  destinations.map((each) => each.destination),
]

/** Returns the workspaces with ready endpoints, the least recently served first. */
export const findReadyWorkspaces = (query: Query, full: ClaimPolicy['fullDestinations']): Promise<ReadyWorkspace[]> =>
  query<ReadyWorkspace>(
    `SELECT ready.workspace_id, is_failing, demand FROM (
       SELECT workspace_id, consecutive_failures > 0 AS is_failing, sum(in_flight_cap)::int AS demand FROM endpoints
       WHERE ${isReady} AND ${hasRoom} GROUP BY 1, 2
     ) ready CROSS JOIN LATERAL (
       SELECT max(last_served_at) AS at FROM endpoints WHERE endpoints.workspace_id = ready.workspace_id
     ) served
     ORDER BY served.at, ready.workspace_id, is_failing`,
    toColumns(full),
    'find_ready_workspaces',
  )

/**
 * Locks and returns up to `maxEndpoints` ready endpoints of each share, the least recently served first. Endpoints
 * locked by another claim are skipped. The lock of those who lease is taken after the row: the rows are chosen first.
 */
export const lockReadyEndpoints = (
  query: Query,
  full: ClaimPolicy['fullDestinations'],
  shares: readonly WorkspaceShare[],
): Promise<LockedEndpoint[]> =>
  query<LockedEndpoint>(
    `SELECT ready.*, ${leaseLock('ready.webhook_id')} AS is_leasable
     FROM unnest($3::text[], $4::boolean[], $5::int[]) AS share (workspace_id, is_failing, max_endpoints)
     CROSS JOIN LATERAL (
       SELECT webhook_id, workspace_id, share.is_failing,
         ${destination} AS destination
       FROM endpoints
       WHERE workspace_id = share.workspace_id AND (consecutive_failures > 0) = share.is_failing
         AND ${isReady} AND ${hasRoom}
       ORDER BY last_served_at LIMIT share.max_endpoints FOR NO KEY UPDATE SKIP LOCKED
     ) ready`,
    [
      ...toColumns(full),
      shares.map((share) => share.workspaceId),
      shares.map((share) => share.isFailing),
      shares.map((share) => share.maxEndpoints),
    ],
    'lock_ready_endpoints',
  )

/**
 * Returns the milliseconds until an endpoint is ready, negative if one is; undefined if nothing is due or retried.
 * @param includesReady false if the ready endpoints wait for slots, so that only the others are of interest
 */
export async function findMsUntilReady(
  pool: Database['worker'],
  { includesReady }: { includesReady: boolean },
): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number }>({
    name: 'find_ms_until_ready',
    text: `SELECT (extract(epoch FROM ${readyAt} - now()) * 1000)::float8 AS ms FROM endpoints
      WHERE next_due_at IS NOT NULL AND is_enabled
        AND ${readyAt} > CASE WHEN $1::boolean THEN '-infinity' ELSE now() END
      ORDER BY ${readyAt} LIMIT 1`,
    values: [includesReady],
  })
  return rows[0]?.ms
}
