import type { Query } from '@wp/database'
import type { FailureAction } from './pending-actions.ts'

/** Delivery state of an endpoint, without its counters. Times in milliseconds since 1970, by the database's clock. */
export interface EndpointRow {
  webhookId: string
  /** False while the subscription is disabled or polled. */
  isEnabled: boolean
  /** Delivers one event at a time, in order. */
  isStrict: boolean
  inFlightCap: number
  /** True if its attempts in flight have reached the cap, or its rate limit allows none for now. */
  isFull: boolean
  consecutiveFailures: number
  holds: number
  heldUntilMs: number | null
  lastHealthyAtMs: number
  failedAttempts: number
  failingSinceMs: number | null
  authFailures: number
  triggeredActions: readonly FailureAction[]
  nowMs: number
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

/** Locks and returns endpoints. Every transaction locks them in this order, so that none deadlock. */
export const lockEndpoints = (query: Query, webhookIds: readonly string[]): Promise<EndpointRow[]> =>
  query<EndpointRow>(
    `SELECT webhook_id, enabled AS is_enabled, strict AS is_strict, in_flight_cap,
       full_until IS NOT NULL AS is_full,
       consecutive_failures, holds, ${ms('held_until')} AS held_until_ms,
       ${ms('well_at')} AS last_healthy_at_ms, failed_attempts,
       ${ms('failing_since')} AS failing_since_ms, refusals AS auth_failures, concluded AS triggered_actions,
       ${ms('now()')} AS now_ms
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
  well_at: Date
  failed_attempts: number
  failing_since: Date | null
  refusals: number
  concluded: readonly FailureAction[]
  /**
   * Actions these attempts triggered. They replace the pending ones if the endpoint recovered, otherwise they are
   * added.
   */
  owed: readonly FailureAction[]
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
       full_until = CASE WHEN e.rate_free_at > now() THEN e.rate_free_at END,
       next_due_at = least(e.next_due_at, u.due_at),
       delivered_count = e.delivered_count + u.delivered, failed_count = e.failed_count + u.failed,
       last_success_at = CASE WHEN u.has_succeeded THEN now() ELSE e.last_success_at END,
       last_failure_at = CASE WHEN u.has_failed THEN now() ELSE e.last_failure_at END,
       well_at = u.well_at, failed_attempts = u.failed_attempts, failing_since = u.failing_since,
       refusals = u.refusals, concluded = u.concluded,
       owed = CASE WHEN u.has_recovered THEN u.owed ELSE e.owed || u.owed END
     FROM jsonb_to_recordset($1::jsonb) AS u (
       webhook_id text, in_flight_cap int, consecutive_failures int, holds int, held_until timestamptz,
       due_at timestamptz, delivered int, failed int, has_succeeded boolean, has_failed boolean, well_at timestamptz,
       failed_attempts int, failing_since timestamptz, refusals int, concluded text[], owed text[],
       has_recovered boolean)
     WHERE e.webhook_id = u.webhook_id
     RETURNING coalesce(e.next_due_at <= now(), false) AND e.enabled AS is_due`,
    [JSON.stringify(updates)],
    'update_endpoints',
  )
