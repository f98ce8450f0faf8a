import type { Query, Row } from '@wp/database'
import type { Delivery, Subscription } from '#db'
import { attemptsWithinRate, rateBase, rateFreeAt } from '../endpoints/rate-limit.ts'
import type { EndpointShare } from './ready-endpoints.ts'

/** A delivery leased to a worker, with everything its attempt needs. `attemptCount`: this attempt included. */
export interface ClaimedDelivery
  extends Row<
      Delivery,
      | 'requestId'
      | 'workspaceId'
      | 'webhookId'
      | 'eventId'
      | 'eventKind'
      | 'occurredAt'
      | 'traceparent'
      | 'attemptCount'
      | 'origin'
      | 'isManual'
      | 'retriesUsed'
      | 'throttledAt'
    >,
    Row<Subscription, 'secretSealed' | 'previousSecretSealed' | 'authenticationSealed'> {
  body: Buffer
  leaseToken: string
  endpoint: string
  /** Scheme, host and port of the endpoint; its id if they are not stored. */
  destination: string
  headers: Record<string, string>
  /** True if the endpoint's last attempt failed. */
  isEndpointFailing: boolean
  /** True if it was leased as it was written, without a claim: this is its first attempt. */
  isNew?: true
}

export interface LeaseOptions {
  leaseToken: string
  leaseSeconds: number
}

interface ServedEndpoint {
  webhookId: string
  /** Attempts the endpoint's in-flight cap and its rate limit leave free. */
  freeSlots: number
  maxRows: number
}
type ClaimedRow = ClaimedDelivery & ServedEndpoint & { wasLost: boolean; lostAt: Date }
/** One row per claimed delivery; an endpoint without one has a single row, in which the other columns are null. */
export type ClaimRow = ClaimedRow | (ServedEndpoint & { requestId: null })

export const isClaimedRow = (row: ClaimRow): row is ClaimedRow => row.requestId !== null

/**
 * SQL expression: the attempts of endpoint `e` in flight. The end of the lease is in the index, so that the entries of
 * ended attempts are not read, of which there are thousands between two vacuums. `OFFSET 0` keeps the condition on the
 * state from the choice of the index: with it the planner may prefer one that holds all pending deliveries, and read
 * them for each endpoint.
 */
export const inFlight = `(
  SELECT count(*)::int FROM (
    SELECT status FROM deliveries
    WHERE deliveries.webhook_id = e.webhook_id AND lease_token IS NOT NULL AND next_attempt_at > now() OFFSET 0
  ) leased WHERE status = 'pending'
)`

/** SQL expression of subscription `s`: its previous secret, while it is still used. */
export const currentPreviousSecret = 'CASE WHEN s.previous_expires_at > now() THEN s.previous_secret_sealed END'

/**
 * Leases due deliveries of locked endpoints. Runs as a separate statement, so that its snapshot includes the commits of
 * the endpoints' previous workers.
 */
export const claimRows = (
  query: Query,
  selected: readonly EndpointShare[],
  { leaseToken, leaseSeconds }: LeaseOptions,
): Promise<ClaimRow[]> =>
  query<ClaimRow>(
    `WITH selected_endpoints AS MATERIALIZED (
       SELECT e.webhook_id, max_rows, e.consecutive_failures > 0 AS is_endpoint_failing,
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
         rate_free_at = free_at, saturated_until = CASE WHEN counted.rows >= uncapped THEN lease_end
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
     SELECT served.webhook_id, served.free_slots, served.max_rows, served.destination, served.is_endpoint_failing,
       c.request_id, c.workspace_id, c.event_id, c.event_kind, c.origin, c.is_manual, c.body, c.occurred_at,
       c.traceparent, c.attempt_count, c.lease_token, c.retries_used, c.throttled_at, due.was_lost, due.lost_at,
       s.endpoint, s.headers, s.authentication_sealed, s.secret_sealed,
       ${currentPreviousSecret} AS previous_secret_sealed
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
