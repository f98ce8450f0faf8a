import { type Database, newId, type Query } from '@wp/database'
import { refreshDueMarks } from '../endpoints/due-marks.ts'
import { inWorkerTransaction } from '../worker-transaction.ts'

/** A delivery in the hands of a worker, with everything its attempt needs. */
export interface ClaimedDelivery {
  requestId: string
  workspaceId: string
  webhookId: string
  eventId: string
  eventKind: string
  body: Buffer
  occurredAt: Date
  /** Of the attempt, from 1. */
  number: number
  leaseToken: string
  origin: string
  /** Somebody asked for it to be sent again. */
  isManual: boolean
  retriesUsed: number
  throttledAt: Date | null
  endpoint: string
  secretSealed: string | null
  /** Null when the overlap is over. */
  previousSecretSealed: string | null
  headers: Record<string, string>
  /** The endpoint's last attempt failed. */
  isEndpointFailing: boolean
}

export interface ClaimOptions {
  /** How many more attempts the worker can have under way. */
  free: number
  /** Whether endpoints whose last attempt failed may be given some of them. */
  includesFailing: boolean
  leaseToken: string
  leaseSeconds: number
}

/**
 * What was ready once leaves dead entries at the very end of the index that is asked. A plain index scan marks them as
 * such in passing; a bitmap scan would step over all of them again until the next vacuum.
 */
const disableBitmapScans = 'SET LOCAL enable_bitmapscan = off'

/** Endpoints served by one claim, and rows of each, at most. */
const maxEndpoints = 50
const minRowsPerEndpoint = 4

/**
 * Takes due deliveries fairly: endpoints with something due that are neither held nor full, the least recently served
 * first, a few rows of each. Never the globally oldest rows, which would all belong to the one endpoint that is dead.
 *
 * A claim is a lease by the database's clock; what a lost worker held is due again when its lease is over.
 */
export function claimDueDeliveries(pool: Database['worker'], options: ClaimOptions): Promise<ClaimedDelivery[]> {
  return inWorkerTransaction(pool, disableBitmapScans, async (query) => {
    const endpoints = await lockReadyEndpoints(query, options)
    if (endpoints.length === 0) return []
    const rowsPerEndpoint = Math.max(1, Math.floor(options.free / endpoints.length))
    const rows = await claimRows(query, endpoints, rowsPerEndpoint, options)
    await refreshDueMarks(query, findExhaustedEndpoints(rows, rowsPerEndpoint))
    const claimed = rows.filter(isClaimedRow)
    await recordLostAttempts(query, claimed)
    return claimed
  })
}

/** Milliseconds until an endpoint is ready, negative when one is; undefined when there is nothing to wait for. */
export async function findMsUntilReady(pool: Database['worker']): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `SELECT (extract(epoch FROM min(greatest(next_due_at, held_until, full_until)) - now()) * 1000)::float8 AS ms
     FROM endpoints WHERE next_due_at IS NOT NULL AND enabled`,
  )
  return rows[0]?.ms ?? undefined
}

/** Locks the endpoints whose turn it is; those another worker serves at this moment are left to it. */
async function lockReadyEndpoints(query: Query, { free, includesFailing: suspects }: ClaimOptions): Promise<string[]> {
  const limit = Math.max(1, Math.min(maxEndpoints, Math.floor(free / minRowsPerEndpoint)))
  const rows = await query<{ webhook_id: string }>(
    `SELECT webhook_id FROM endpoints
     WHERE next_due_at IS NOT NULL AND enabled AND greatest(next_due_at, held_until, full_until) <= now()
       AND ($2 OR consecutive_failures = 0)
     ORDER BY last_served_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [limit, suspects],
  )
  return rows.map((row) => row.webhook_id)
}

interface ServedRow {
  webhookId: string
  /** How many attempts the endpoint's cap had room for. */
  freeSlots: number
}
type ClaimedRow = ClaimedDelivery & ServedRow & { wasLost: boolean; lostAt: Date }
/** Where nothing of an endpoint was taken, the rest is null. */
type ClaimRow = ClaimedRow | (ServedRow & { requestId: null })

const isClaimedRow = (row: ClaimRow): row is ClaimedRow => row.requestId !== null

/** A statement after the one that locked, so that it sees what the endpoints' last workers committed. */
const claimRows = (
  query: Query,
  endpoints: string[],
  rowsPerEndpoint: number,
  options: ClaimOptions,
): Promise<ClaimRow[]> =>
  query<ClaimRow>(
    `WITH served AS (
       SELECT e.webhook_id, e.consecutive_failures > 0 AS is_suspect, e.in_flight_cap - (
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
     ), taken AS (
       UPDATE deliveries SET attempt_count = attempt_count + 1, lease_token = $3, updated_at = now(),
         next_attempt_at = now() + $4 * interval '1 second'
       WHERE request_id = ANY (ARRAY(SELECT request_id FROM due))
       RETURNING *
     ), turns AS (
       UPDATE endpoints e SET last_served_at = clock_timestamp(),
         full_until = CASE WHEN coalesce(counted.rows, 0) >= served.free_slots THEN now() + $4 * interval '1 second' END
       FROM served LEFT JOIN (SELECT webhook_id, count(*) AS rows FROM taken GROUP BY webhook_id) counted
         USING (webhook_id)
       WHERE e.webhook_id = served.webhook_id
     )
     SELECT served.webhook_id AS "webhookId", served.free_slots AS "freeSlots", served.is_suspect AS "isEndpointFailing",
       t.request_id AS "requestId", t.workspace_id AS "workspaceId", t.event_id AS "eventId",
       t.event_kind AS "eventKind", t.origin, t.manual AS "isManual", t.body, t.occurred_at AS "occurredAt", t.attempt_count AS number,
       t.lease_token AS "leaseToken", t.retries_used AS "retriesUsed", t.throttled_at AS "throttledAt",
       due.was_lost AS "wasLost", due.lost_at AS "lostAt",
       s.endpoint, s.headers, s.secret_sealed AS "secretSealed",
       CASE WHEN s.previous_expires_at > now() THEN s.previous_secret_sealed END AS "previousSecretSealed"
     FROM served JOIN subscriptions s USING (webhook_id)
       LEFT JOIN (taken t JOIN due USING (request_id)) USING (webhook_id)`,
    [endpoints, rowsPerEndpoint, options.leaseToken, options.leaseSeconds],
  )

/** The endpoints of which fewer rows were due than could have been taken. */
function findExhaustedEndpoints(rows: readonly ClaimRow[], rowsPerEndpoint: number): string[] {
  return [...Map.groupBy(rows, (row) => row.webhookId)]
    .filter(([, [first, ...more]]) => {
      const claimed = first !== undefined && isClaimedRow(first) ? 1 + more.length : 0
      return claimed < Math.min(first?.freeSlots ?? 0, rowsPerEndpoint)
    })
    .map(([webhookId]) => webhookId)
}

/** Every attempt is kept, also one whose worker was lost: the receiver may have got it. */
async function recordLostAttempts(query: Query, claimed: readonly ClaimedRow[]): Promise<void> {
  const lost = claimed.filter((row) => row.wasLost)
  if (lost.length === 0) return
  await query(
    `INSERT INTO attempts (id, workspace_id, request_id, number, outcome, error_kind, error_message, timings,
       response_headers, response_truncated, started_at, finished_at)
     SELECT id, workspace_id, request_id, number, 'failed', 'lost',
       'the worker was lost before it could write down how this ended; the receiver may have got it',
       '{"dns_ms":null,"connect_ms":null,"tls_ms":null,"first_byte_ms":null,"total_ms":0}', '{}', false, ended, ended
     FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[])
       AS lost (id, workspace_id, request_id, number, ended)
     ON CONFLICT (request_id, number) DO NOTHING`,
    [
      lost.map(() => newId('att')),
      lost.map((row) => row.workspaceId),
      lost.map((row) => row.requestId),
      lost.map((row) => row.number - 1),
      lost.map((row) => row.lostAt),
    ],
  )
}
