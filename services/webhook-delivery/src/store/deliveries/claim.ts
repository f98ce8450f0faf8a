import { type Database, inWorkerTransaction, type Query } from '@wp/database'
import { absorbDueMarks } from '../endpoints/due-marks.ts'
import { attemptsWithinRate, rateBase, rateFreeAt } from '../endpoints/rate-limit.ts'
import { insertLostAttempts } from './attempts.ts'
import { type ClaimPolicy, type EndpointShare, findReadyWorkspaces, lockReadyEndpoints } from './ready-endpoints.ts'

/** A delivery leased to a worker, with everything its attempt needs. */
export interface ClaimedDelivery {
  requestId: string
  workspaceId: string
  webhookId: string
  eventId: string
  eventKind: string
  body: Buffer
  occurredAt: Date
  /** The trace of the event; null if it has none. */
  traceparent: string | null
  /** Number of the attempt, from 1. */
  number: number
  leaseToken: string
  origin: string
  /** True if the delivery was resent or replayed on request. */
  isManual: boolean
  retriesUsed: number
  throttledAt: Date | null
  endpoint: string
  /** Scheme, host and port of the endpoint; its id if they are not stored. */
  destination: string
  secretSealed: string | null
  /** Null after the overlap of a rotation. */
  previousSecretSealed: string | null
  headers: Record<string, string>
  authenticationSealed: string | null
  /** True if the endpoint's last attempt failed. */
  isEndpointFailing: boolean
}

export interface ClaimOptions {
  policy: ClaimPolicy
  leaseToken: string
  leaseSeconds: number
}

export interface ClaimResult {
  claimed: ClaimedDelivery[]
  /** True if ready endpoints may have more due deliveries than the policy allowed to claim. */
  isLimited: boolean
  /** True if this claim did not see the deliveries of some endpoints, because other transactions held their rows. */
  hasHeldEndpoints: boolean
  /** True if the next claim may take more at once. */
  hasMore: boolean
}

/**
 * As `indexLookups`, but with the joins that suit many full destinations. Endpoints that are no longer ready leave dead
 * entries at the end of the index that is scanned, so a bitmap scan would be slow until the next vacuum.
 */
const settings = [
  'SET LOCAL plan_cache_mode = force_generic_plan',
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL enable_bitmapscan = off',
].join('; ')

/**
 * Claims due deliveries fairly: by workspace, then by endpoint, the least recently served first, a few deliveries of
 * each. Claiming the oldest deliveries instead would let one dead endpoint with a long backlog starve the others, and a
 * workspace with many endpoints the other workspaces.
 *
 * A claim is a lease by the database's clock: when it expires, the deliveries are due again.
 */
export function claimDueDeliveries(pool: Database['worker'], options: ClaimOptions): Promise<ClaimResult> {
  const { policy } = options
  return inWorkerTransaction(
    pool,
    async (_client, query) => {
      const [hasHeldEndpoints, ready] = await Promise.all([
        absorbDueMarks(query),
        findReadyWorkspaces(query, policy.fullDestinations),
      ])
      const shares = policy.shareSlots(ready).filter(({ slots }) => slots > 0)
      const isLimited = policy.fullDestinations.length > 0 || sum(shares, 'slots') < sum(ready, 'demand')
      const nothing = { claimed: [], isLimited, hasHeldEndpoints, hasMore: false }
      if (shares.length === 0) return nothing
      const endpoints = await lockReadyEndpoints(query, policy.fullDestinations, shares)
      const selected = policy.selectRows(shares, endpoints)
      if (selected.length === 0) return nothing
      const rows = await claimRows(query, selected, options)
      const served = [...Map.groupBy(rows, (row) => row.webhookId).values()]
      const claimed = rows.filter(isClaimedRow)
      await insertLostAttempts(
        query,
        claimed.filter((row) => row.wasLost),
      )
      return { ...nothing, claimed, hasMore: claimed.length > 0 && (isLimited || served.some(mayHaveMore)) }
    },
    { settings },
  )
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((total, row) => total + row[key], 0)

interface ServedEndpoint {
  webhookId: string
  /** Attempts the endpoint's in-flight cap and its rate limit leave free. */
  freeSlots: number
  maxRows: number
}
type ClaimedRow = ClaimedDelivery & ServedEndpoint & { wasLost: boolean; lostAt: Date }
/** One row per claimed delivery; an endpoint without one has a single row, in which the other columns are null. */
type ClaimRow = ClaimedRow | (ServedEndpoint & { requestId: null })

const isClaimedRow = (row: ClaimRow): row is ClaimedRow => row.requestId !== null

/**
 * SQL expression: the attempts of endpoint `e` in flight. `OFFSET 0` keeps the conditions on state and time from the
 * choice of the index: with them the planner may prefer one that holds all pending deliveries, and read them for each
 * endpoint.
 */
const inFlight = `(
  SELECT count(*)::int FROM (
    SELECT status, next_attempt_at FROM deliveries
    WHERE deliveries.webhook_id = e.webhook_id AND lease_token IS NOT NULL OFFSET 0
  ) leased WHERE status = 'pending' AND next_attempt_at > now()
)`

/** Runs as a separate statement, so that its snapshot includes the commits of the endpoints' previous workers. */
const claimRows = (
  query: Query,
  selected: readonly EndpointShare[],
  { leaseToken, leaseSeconds }: ClaimOptions,
): Promise<ClaimRow[]> =>
  query<ClaimRow>(
    `WITH selected_endpoints AS MATERIALIZED (
       SELECT e.webhook_id, max_rows, e.consecutive_failures > 0 AS is_failing,
         coalesce(e.destination, e.webhook_id) AS destination, e.rate_limit, ${rateBase} AS rate_base,
         e.in_flight_cap - ${inFlight} AS uncapped
       FROM endpoints e JOIN unnest($1::text[], $2::int[]) AS selected (webhook_id, max_rows) USING (webhook_id)
     ), served AS (
       SELECT *, least(uncapped, ${attemptsWithinRate('rate_base', 'rate_limit')}) AS free_slots FROM selected_endpoints
     ), due AS (
       SELECT d.* FROM served CROSS JOIN LATERAL (
         SELECT request_id, lease_token IS NOT NULL AS was_lost, next_attempt_at AS lost_at FROM deliveries
         WHERE webhook_id = served.webhook_id AND status = 'pending' AND next_attempt_at <= now()
         ORDER BY next_attempt_at, request_id
         LIMIT greatest(0, least(served.free_slots, served.max_rows)) FOR UPDATE SKIP LOCKED
       ) d
     ), claimed AS (
       UPDATE deliveries SET attempt_count = attempt_count + 1, lease_token = $3, updated_at = now(),
         next_attempt_at = now() + $4 * interval '1 second'
       WHERE request_id = ANY (ARRAY(SELECT request_id FROM due))
       RETURNING *
     ), updated_endpoints AS (
       UPDATE endpoints e SET last_served_at = clock_timestamp(),
         rate_free_at = free_at, full_until = CASE WHEN counted.rows >= uncapped THEN lease_end
           WHEN free_at > now() THEN free_at END,
         next_due_at = least(next_at, CASE WHEN counted.rows > 0 THEN lease_end END)
       FROM (
         SELECT served.*, ${rateFreeAt('rate_base', 'rate_limit', 'claims.rows')} AS free_at, claims.rows,
           now() + $4 * interval '1 second' AS lease_end, (
             SELECT next_attempt_at FROM deliveries
             WHERE deliveries.webhook_id = served.webhook_id AND status = 'pending' AND next_attempt_at IS NOT NULL
               AND request_id <> ALL (claims.request_ids)
             ORDER BY next_attempt_at, request_id LIMIT 1
           ) AS next_at
         FROM served CROSS JOIN LATERAL (
           SELECT count(*) AS rows, coalesce(array_agg(request_id), '{}') AS request_ids FROM claimed
           WHERE claimed.webhook_id = served.webhook_id
         ) claims
       ) counted
       WHERE e.webhook_id = counted.webhook_id
     )
     SELECT served.webhook_id AS "webhookId", served.free_slots AS "freeSlots", served.max_rows AS "maxRows",
       served.destination,
       served.is_failing AS "isEndpointFailing",
       c.request_id AS "requestId", c.workspace_id AS "workspaceId", c.event_id AS "eventId",
       c.event_kind AS "eventKind", c.origin, c.manual AS "isManual", c.body, c.occurred_at AS "occurredAt", c.traceparent,
       c.attempt_count AS number, c.lease_token AS "leaseToken", c.retries_used AS "retriesUsed",
       c.throttled_at AS "throttledAt", due.was_lost AS "wasLost", due.lost_at AS "lostAt",
       s.endpoint, s.headers, s.authentication_sealed AS "authenticationSealed", s.secret_sealed AS "secretSealed",
       CASE WHEN s.previous_expires_at > now() THEN s.previous_secret_sealed END AS "previousSecretSealed"
     FROM served JOIN subscriptions s USING (webhook_id)
       LEFT JOIN (claimed c JOIN due USING (request_id)) USING (webhook_id)`,
    [
      selected.map((endpoint) => endpoint.webhookId),
      selected.map((endpoint) => endpoint.maxRows),
      leaseToken,
      leaseSeconds,
    ],
    'claim_deliveries',
  )

const countClaimed = (rows: readonly ClaimRow[]): number => rows.filter(isClaimedRow).length

/** Returns true if an endpoint had fewer due deliveries than could have been claimed. @param rows its rows */
const isExhausted = (rows: readonly ClaimRow[]): boolean =>
  countClaimed(rows) < Math.min(rows[0]?.freeSlots ?? 0, rows[0]?.maxRows ?? 0)

/** Returns true if an endpoint may have further due deliveries and has free slots for them. @param rows its rows */
const mayHaveMore = (rows: readonly ClaimRow[]): boolean =>
  !isExhausted(rows) && countClaimed(rows) < (rows[0]?.freeSlots ?? 0)
