import type { Query } from '@wp/database'
import { type EndpointHealth, updateHealth } from '../../delivery/endpoint-health.ts'
import { applyFailurePolicy, type FailureAction, type FailureHistory } from '../../delivery/failure-policy.ts'
import type { EndedAttempt } from '../deliveries/ended-attempt.ts'

/** How an endpoint fares, as it is judged by; at a time of the database. */
export interface EndpointRow extends EndpointHealth, FailureHistory {
  webhookId: string
  enabled: boolean
  strict: boolean
  nowMs: number
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

/** In the order in which everybody locks them. */
export const lockEndpoints = (query: Query, webhookIds: readonly string[]): Promise<EndpointRow[]> =>
  query<EndpointRow>(
    `SELECT webhook_id AS "webhookId", enabled, strict, in_flight_cap AS "inFlightCap",
       consecutive_failures AS "consecutiveFailures", holds, ${ms('held_until')} AS "heldUntilMs",
       ${ms('well_at')} AS "lastHealthyAtMs", failed_attempts AS "failedAttempts", ${ms('failing_since')} AS "failingSinceMs",
       refusals AS "authFailures", concluded AS "triggeredActions", ${ms('now()')} AS "nowMs"
     FROM endpoints WHERE webhook_id = ANY ($1) ORDER BY webhook_id FOR NO KEY UPDATE`,
    [webhookIds],
  )

/** What attempts that have ended change about their endpoint. @param dueMs when their deliveries are tried again */
export function computeEndpointUpdate(
  endpoint: EndpointRow,
  own: readonly EndedAttempt[],
  dueMs: readonly number[],
  holds: readonly number[],
) {
  const health = own.reduce<EndpointHealth>(
    (before, { result }) => updateHealth(before, result, endpoint.nowMs, holds),
    endpoint,
  )
  const { history, pendingActions, hasRecovered } = applyAttempts(endpoint, own)
  return {
    webhook_id: endpoint.webhookId,
    in_flight_cap: health.inFlightCap,
    consecutive_failures: health.consecutiveFailures,
    holds: health.holds,
    held_until: toDate(health.heldUntilMs),
    due_at: dueMs.length === 0 ? null : new Date(Math.min(...dueMs)),
    delivered: own.filter(({ nextState }) => nextState.status === 'delivered').length,
    failed: own.filter(({ nextState }) => nextState.status === 'failed').length,
    succeeded: own.some(({ result }) => result.outcome === 'delivered'),
    stumbled: own.some(({ result }) => result.outcome === 'failed'),
    well_at: new Date(history.lastHealthyAtMs),
    failed_attempts: history.failedAttempts,
    failing_since: toDate(history.failingSinceMs),
    refusals: history.authFailures,
    concluded: history.triggeredActions,
    owed: pendingActions,
    was_well: hasRecovered,
  }
}

/** `wasWell`: what was owed before no longer is. */
function applyAttempts(endpoint: EndpointRow, own: readonly EndedAttempt[]) {
  let history: FailureHistory = endpoint
  let pendingActions: FailureAction[] = []
  let hasRecovered = false
  for (const ended of own) {
    if (!endpoint.enabled || !isCounted(ended)) continue
    const { result, attempt } = ended
    const succeeded = result.outcome === 'delivered'
    const after = applyFailurePolicy(history, { succeeded, statusCode: attempt.statusCode }, endpoint.nowMs)
    history = after.history
    pendingActions = succeeded ? [] : [...pendingActions, ...after.actions]
    hasRecovered ||= succeeded
  }
  return { history, pendingActions, hasRecovered }
}

/** What a person sent, and what failed on our side, says nothing about how the endpoint fares; 410 is the end at once. */
const isCounted = ({ claimed, result, attempt }: EndedAttempt): boolean =>
  claimed.origin === 'event' &&
  !claimed.isManual &&
  attempt.errorKind !== 'internal' &&
  !(result.outcome === 'failed' && result.action === 'disable')

const toDate = (timeMs: number | null): Date | null => (timeMs === null ? null : new Date(timeMs))

export const updateEndpoints = (query: Query, changes: readonly ReturnType<typeof computeEndpointUpdate>[]) =>
  query(
    `UPDATE endpoints e SET in_flight_cap = c.in_flight_cap, consecutive_failures = c.consecutive_failures,
       holds = c.holds, held_until = c.held_until, full_until = NULL,
       next_due_at = least(e.next_due_at, c.due_at),
       delivered_count = e.delivered_count + c.delivered, failed_count = e.failed_count + c.failed,
       last_success_at = CASE WHEN c.succeeded THEN now() ELSE e.last_success_at END,
       last_failure_at = CASE WHEN c.stumbled THEN now() ELSE e.last_failure_at END,
       well_at = c.well_at, failed_attempts = c.failed_attempts, failing_since = c.failing_since,
       refusals = c.refusals, concluded = c.concluded,
       owed = CASE WHEN c.was_well THEN c.owed ELSE e.owed || c.owed END
     FROM jsonb_to_recordset($1::jsonb) AS c (
       webhook_id text, in_flight_cap int, consecutive_failures int, holds int, held_until timestamptz,
       due_at timestamptz, delivered int, failed int, succeeded boolean, stumbled boolean, well_at timestamptz,
       failed_attempts int, failing_since timestamptz, refusals int, concluded text[], owed text[], was_well boolean)
     WHERE e.webhook_id = c.webhook_id`,
    [JSON.stringify(changes)],
  )
