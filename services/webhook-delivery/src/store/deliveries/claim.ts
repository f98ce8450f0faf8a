import { type Database, inWorkerTransaction, type Query } from '@wp/database'
import { refreshDueMarks } from '../endpoints/due-marks.ts'
import { insertLostAttempts } from './attempts.ts'

/** A delivery leased to a worker, with everything its attempt needs. */
export interface ClaimedDelivery {
  requestId: string
  workspaceId: string
  webhookId: string
  eventId: string
  eventKind: string
  body: Buffer
  occurredAt: Date
  /** Number of the attempt, from 1. */
  number: number
  leaseToken: string
  origin: string
  /** True if the delivery was resent or replayed on request. */
  isManual: boolean
  retriesUsed: number
  throttledAt: Date | null
  endpoint: string
  secretSealed: string | null
  /** Null after the overlap of a rotation. */
  previousSecretSealed: string | null
  headers: Record<string, string>
  /** True if the endpoint's last attempt failed. */
  isEndpointFailing: boolean
}

export interface ClaimOptions {
  /** Attempts the worker can start. */
  free: number
  /** False leaves out endpoints whose last attempt failed. */
  includesFailing: boolean
  leaseToken: string
  leaseSeconds: number
}

/**
 * Endpoints that are no longer ready leave dead entries at the end of the index that is scanned. A plain index scan
 * marks them as dead; a bitmap scan would step over all of them again until the next vacuum.
 */
const disableBitmapScans = 'SET LOCAL enable_bitmapscan = off'

/** Endpoints of one claim, and rows of each: the claim takes fewer endpoints rather than fewer rows of each. */
const maxEndpoints = 50
const minRowsPerEndpoint = 4

/**
 * Claims due deliveries fairly: a few of each ready endpoint, the least recently served endpoints first. An endpoint is
 * ready if it has a due delivery, is not held and has free slots. Claiming the oldest deliveries instead would let one
 * dead endpoint with a long backlog starve the others.
 *
 * A claim is a lease by the database's clock: when it expires, the deliveries are due again.
 */
export function claimDueDeliveries(pool: Database['worker'], options: ClaimOptions): Promise<ClaimedDelivery[]> {
  return inWorkerTransaction(
    pool,
    async (_client, query) => {
      const endpoints = await lockReadyEndpoints(query, options)
      if (endpoints.length === 0) return []
      const rowsPerEndpoint = Math.max(1, Math.floor(options.free / endpoints.length))
      const rows = await claimRows(query, endpoints, rowsPerEndpoint, options)
      await refreshDueMarks(query, findExhaustedEndpoints(rows, rowsPerEndpoint))
      const claimed = rows.filter(isClaimedRow)
      await insertLostAttempts(
        query,
        claimed.filter((row) => row.wasLost),
      )
      return claimed
    },
    { settings: disableBitmapScans },
  )
}

/** Returns the milliseconds until an endpoint is ready, negative if one is; undefined if nothing is due or retried. */
export async function findMsUntilReady(pool: Database['worker']): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `SELECT (extract(epoch FROM min(greatest(next_due_at, held_until, full_until)) - now()) * 1000)::float8 AS ms
     FROM endpoints WHERE next_due_at IS NOT NULL AND enabled`,
  )
  return rows[0]?.ms ?? undefined
}

/** Locks and returns ready endpoints. Endpoints locked by another claim are skipped. */
async function lockReadyEndpoints(query: Query, { free, includesFailing }: ClaimOptions): Promise<string[]> {
  const limit = Math.max(1, Math.min(maxEndpoints, Math.floor(free / minRowsPerEndpoint)))
  const rows = await query<{ webhook_id: string }>(
    `SELECT webhook_id FROM endpoints
     WHERE next_due_at IS NOT NULL AND enabled AND greatest(next_due_at, held_until, full_until) <= now()
       AND ($2 OR consecutive_failures = 0)
     ORDER BY last_served_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [limit, includesFailing],
  )
  return rows.map((row) => row.webhook_id)
}

interface ServedEndpoint {
  webhookId: string
  /** Attempts the endpoint's in-flight cap leaves free. */
  freeSlots: number
}
type ClaimedRow = ClaimedDelivery & ServedEndpoint & { wasLost: boolean; lostAt: Date }
/** One row per claimed delivery; an endpoint without one has a single row, in which the other columns are null. */
type ClaimRow = ClaimedRow | (ServedEndpoint & { requestId: null })

const isClaimedRow = (row: ClaimRow): row is ClaimedRow => row.requestId !== null

/** Runs as a separate statement, so that its snapshot includes the commits of the endpoints' previous workers. */
const claimRows = (
  query: Query,
  endpoints: string[],
  rowsPerEndpoint: number,
  { leaseToken, leaseSeconds }: ClaimOptions,
): Promise<ClaimRow[]> =>
  query<ClaimRow>(
    `WITH served AS (
       SELECT e.webhook_id, e.consecutive_failures > 0 AS is_failing, e.in_flight_cap - (
         SELECT count(*)::int FROM deliveries d
         WHERE d.webhook_id = e.webhook_id AND d.lease_token IS NOT NULL
           AND d.status = 'pending' AND d.next_attempt_at > now()
       ) AS free_slots
       FROM endpoints e WHERE e.webhook_id = ANY ($1)
     ), due AS (
       SELECT d.* FROM served CROSS JOIN LATERAL (
         SELECT request_id, lease_token IS NOT NULL AS was_lost, next_attempt_at AS lost_at FROM deliveries
         WHERE webhook_id = served.webhook_id AND status = 'pending' AND next_attempt_at <= now()
         ORDER BY next_attempt_at, request_id
         LIMIT greatest(0, least(served.free_slots, $2)) FOR UPDATE SKIP LOCKED
       ) d
     ), claimed AS (
       UPDATE deliveries SET attempt_count = attempt_count + 1, lease_token = $3, updated_at = now(),
         next_attempt_at = now() + $4 * interval '1 second'
       WHERE request_id = ANY (ARRAY(SELECT request_id FROM due))
       RETURNING *
     ), updated_endpoints AS (
       UPDATE endpoints e SET last_served_at = clock_timestamp(),
         full_until = CASE WHEN coalesce(counted.rows, 0) >= served.free_slots
           THEN now() + $4 * interval '1 second' END
       FROM served LEFT JOIN (SELECT webhook_id, count(*) AS rows FROM claimed GROUP BY webhook_id) counted
         USING (webhook_id)
       WHERE e.webhook_id = served.webhook_id
     )
     SELECT served.webhook_id AS "webhookId", served.free_slots AS "freeSlots",
       served.is_failing AS "isEndpointFailing",
       c.request_id AS "requestId", c.workspace_id AS "workspaceId", c.event_id AS "eventId",
       c.event_kind AS "eventKind", c.origin, c.manual AS "isManual", c.body, c.occurred_at AS "occurredAt",
       c.attempt_count AS number, c.lease_token AS "leaseToken", c.retries_used AS "retriesUsed",
       c.throttled_at AS "throttledAt", due.was_lost AS "wasLost", due.lost_at AS "lostAt",
       s.endpoint, s.headers, s.secret_sealed AS "secretSealed",
       CASE WHEN s.previous_expires_at > now() THEN s.previous_secret_sealed END AS "previousSecretSealed"
     FROM served JOIN subscriptions s USING (webhook_id)
       LEFT JOIN (claimed c JOIN due USING (request_id)) USING (webhook_id)`,
    [endpoints, rowsPerEndpoint, leaseToken, leaseSeconds],
  )

/** Returns the endpoints that had fewer due deliveries than could have been claimed. */
function findExhaustedEndpoints(rows: readonly ClaimRow[], rowsPerEndpoint: number): string[] {
  return [...Map.groupBy(rows, (row) => row.webhookId)]
    .filter(([, [first, ...others]]) => {
      const claimed = first !== undefined && isClaimedRow(first) ? 1 + others.length : 0
      return claimed < Math.min(first?.freeSlots ?? 0, rowsPerEndpoint)
    })
    .map(([webhookId]) => webhookId)
}
