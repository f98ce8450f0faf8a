import type { Query, Row } from '@wp/database'
import type { Endpoint } from '#db'
import type { FailureAction } from './pending-actions.ts'

/** Delivery state of an endpoint, without its counters. Times in milliseconds since 1970, by the database's clock. */
export interface EndpointRow
  extends Row<
    Endpoint,
    | 'webhookId'
    | 'isEnabled'
    | 'isStrict'
    | 'inFlightCap'
    | 'consecutiveFailures'
    | 'holds'
    | 'failedAttempts'
    | 'authFailures'
  > {
  /** True if its attempts in flight have reached the cap, or its rate limit allows none for now. */
  isSaturated: boolean
  heldUntilMs: number | null
  lastHealthyAtMs: number
  failingSinceMs: number | null
  triggeredActions: readonly FailureAction[]
  nowMs: number
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

/** Locks and returns endpoints. Every transaction locks them in this order, so that none deadlock. */
export const lockEndpoints = (query: Query, webhookIds: readonly string[]): Promise<EndpointRow[]> =>
  query<EndpointRow>(
    `SELECT webhook_id, is_enabled, is_strict, in_flight_cap, consecutive_failures, holds, failed_attempts,
       auth_failures, triggered_actions, saturated_until IS NOT NULL AS is_saturated,
       ${ms('held_until')} AS held_until_ms, ${ms('last_healthy_at')} AS last_healthy_at_ms,
       ${ms('failing_since')} AS failing_since_ms, ${ms('now()')} AS now_ms
     FROM endpoints WHERE webhook_id = ANY ($1) ORDER BY webhook_id FOR NO KEY UPDATE`,
    [webhookIds],
    'lock_endpoints',
  )

/** New values of an endpoint after attempts, by column. */
export interface EndpointUpdate {
  webhook_id: string
  in_flight_cap: number
  consecutive_failures: number
  holds: number
  held_until: Date | null
  last_healthy_at: Date
  failed_attempts: number
  failing_since: Date | null
  auth_failures: number
  triggered_actions: readonly FailureAction[]
  /**
   * Actions these attempts triggered. They replace the pending ones if the endpoint recovered, otherwise they are
   * added.
   */
  pending_actions: readonly FailureAction[]
  has_recovered: boolean
  /** Earliest retry; null if none of the deliveries is retried. */
  due_at: Date | null
  /** Deliveries that ended, to be added to the counters. */
  delivered: number
  failed: number
  /** True if an attempt succeeded or failed, respectively. */
  has_succeeded: boolean
  has_failed: boolean
}

/** Returns for each endpoint whether a delivery is due. */
export const updateEndpoints = (query: Query, updates: readonly EndpointUpdate[]): Promise<{ isDue: boolean }[]> =>
  query<{ isDue: boolean }>(
    `UPDATE endpoints e SET in_flight_cap = u.in_flight_cap, consecutive_failures = u.consecutive_failures,
       holds = u.holds, held_until = u.held_until,
       saturated_until = CASE WHEN e.rate_free_at > now() THEN e.rate_free_at END,
       next_due_at = least(e.next_due_at, u.due_at),
       delivered_count = e.delivered_count + u.delivered, failed_count = e.failed_count + u.failed,
       last_success_at = CASE WHEN u.has_succeeded THEN now() ELSE e.last_success_at END,
       last_failure_at = CASE WHEN u.has_failed THEN now() ELSE e.last_failure_at END,
       last_healthy_at = u.last_healthy_at, failed_attempts = u.failed_attempts, failing_since = u.failing_since,
       auth_failures = u.auth_failures, triggered_actions = u.triggered_actions,
       pending_actions = CASE WHEN u.has_recovered THEN u.pending_actions ELSE e.pending_actions || u.pending_actions END
     FROM jsonb_to_recordset($1::jsonb) AS u (
       webhook_id text, in_flight_cap int, consecutive_failures int, holds int, held_until timestamptz,
       due_at timestamptz, delivered int, failed int, has_succeeded boolean, has_failed boolean, last_healthy_at timestamptz,
       failed_attempts int, failing_since timestamptz, auth_failures int, triggered_actions text[], pending_actions text[],
       has_recovered boolean)
     WHERE e.webhook_id = u.webhook_id
     RETURNING coalesce(e.next_due_at <= now(), false) AND e.is_enabled AS is_due`,
    [JSON.stringify(updates)],
    'update_endpoints',
  )

/** Returns the scheme, host and port of an endpoint; null if the receiver polls. */
export const destinationOf = (endpoint: string | null): string | null =>
  endpoint === null ? null : new URL(endpoint).origin
