import type { EndpointRow, EndpointUpdate } from '../store/endpoints/endpoints.ts'
import type { FailureAction } from '../store/endpoints/pending-actions.ts'
import { type EndpointHealth, updateHealth } from './endpoint-health.ts'
import { applyFailurePolicy, type FailureHistory } from './failure-policy.ts'
import type { EndedAttempt } from './next-state.ts'

/**
 * Computes the update of an endpoint after attempts.
 *
 * @param dueMs times of the retries of their deliveries
 * @param holdSchedule seconds of consecutive holds
 */
export function computeEndpointUpdate(
  endpoint: EndpointRow,
  attempts: readonly EndedAttempt[],
  dueMs: readonly number[],
  holdSchedule: readonly number[],
): EndpointUpdate {
  const health = attempts.reduce<EndpointHealth>(
    (before, { result }) => updateHealth(before, result, endpoint.nowMs, holdSchedule),
    endpoint,
  )
  const { history, pendingActions, hasRecovered } = applyAttempts(endpoint, attempts)
  return {
    webhook_id: endpoint.webhookId,
    in_flight_cap: health.inFlightCap,
    consecutive_failures: health.consecutiveFailures,
    holds: health.holds,
    held_until: toDate(health.heldUntilMs),
    last_healthy_at: new Date(history.lastHealthyAtMs),
    failed_attempts: history.failedAttempts,
    failing_since: toDate(history.failingSinceMs),
    auth_failures: history.authFailures,
    triggered_actions: history.triggeredActions,
    pending_actions: pendingActions,
    has_recovered: hasRecovered,
    due_at: dueMs.length === 0 ? null : new Date(Math.min(...dueMs)),
    delivered: attempts.filter(({ nextState }) => nextState.status === 'delivered').length,
    failed: attempts.filter(({ nextState }) => nextState.status === 'failed').length,
    has_succeeded: attempts.some(({ result }) => result.outcome === 'delivered'),
    has_failed: attempts.some(({ result }) => result.outcome === 'failed'),
  }
}

/** Applies the failure policy. `hasRecovered`: an attempt succeeded, so actions pending from before are dropped. */
function applyAttempts(endpoint: EndpointRow, attempts: readonly EndedAttempt[]) {
  let history: FailureHistory = endpoint
  let pendingActions: FailureAction[] = []
  let hasRecovered = false
  for (const ended of attempts) {
    if (!endpoint.isEnabled || !isCounted(ended)) continue
    const { result, attempt } = ended
    const hasSucceeded = result.outcome === 'delivered'
    const after = applyFailurePolicy(history, { hasSucceeded, statusCode: attempt.statusCode }, endpoint.nowMs)
    history = after.history
    pendingActions = hasSucceeded ? [] : [...pendingActions, ...after.actions]
    hasRecovered ||= hasSucceeded
  }
  return { history, pendingActions, hasRecovered }
}

/**
 * Tests, deliveries sent on request and failures on the platform's side do not count for the failure policy. A 410 does
 * not either: it disables the subscription at once.
 */
const isCounted = (ended: EndedAttempt): boolean =>
  isOfEvent(ended) &&
  ended.attempt.errorKind !== 'internal' &&
  !(ended.result.outcome === 'failed' && ended.result.action === 'disable')

/** Returns true if the receiver does not want the events of its subscription any more (410). */
export const isGone = (ended: Pick<EndedAttempt, 'claimed' | 'result'>): boolean =>
  isOfEvent(ended) && ended.result.outcome === 'failed' && ended.result.action === 'disable'

/** Returns false for tests and deliveries sent on request: their results say nothing about the events to come. */
const isOfEvent = ({ claimed }: Pick<EndedAttempt, 'claimed'>): boolean =>
  claimed.origin === 'event' && !claimed.isManual

const toDate = (timeMs: number | null): Date | null => (timeMs === null ? null : new Date(timeMs))
