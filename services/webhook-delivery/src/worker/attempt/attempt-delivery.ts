import type { Span } from '@wp/runtime'
import type { Context } from '../../context.ts'
import {
  type AttemptedDelivery,
  classifyAttempt,
  computeNextState,
  type EndedAttempt,
} from '../../delivery/next-state.ts'
import type { AttemptRecord } from '../../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../../store/deliveries/claim-rows.ts'
import { sendAttempt } from './send-attempt.ts'

/**
 * Sends a claimed delivery once and decides what follows.
 * @returns undefined if the process aborted the attempt at shutdown: its lease expires and another worker takes over
 */
export async function attemptDelivery(context: Context, claimed: ClaimedDelivery): Promise<EndedAttempt | undefined> {
  const span = startAttemptSpan(context, claimed)
  const traced = span === undefined ? claimed : { ...claimed, traceparent: span.traceparent }
  const { response, record: attempt } = await sendAttempt(context, traced)
  endAttemptSpan(span, attempt)
  if (response.errorKind === 'aborted') return undefined
  const nowMs = context.now()
  const result = classifyAttempt(response, nowMs)
  const progress = { retriesUsed: claimed.retriesUsed, throttledAtMs: claimed.throttledAt?.getTime() ?? null }
  const timing = { schedule: context.settings.retrySchedule, nowMs, random: context.random() }
  recordMetrics(context, traced, attempt, result.outcome)
  return { claimed: pickAttempted(claimed), result, nextState: computeNextState(progress, result, timing), attempt }
}

/** Leaves out the secrets, which must not be in the journal of attempts, and the body. */
function pickAttempted(claimed: ClaimedDelivery): AttemptedDelivery {
  const { requestId, leaseToken, workspaceId, webhookId, endpoint, attemptCount, origin, isManual, isNew } = claimed
  const attempted = { requestId, leaseToken, workspaceId, webhookId, endpoint, attemptCount, origin, isManual }
  return isNew ? { ...attempted, isNew } : attempted
}

function recordMetrics(
  { metrics }: Pick<Context, 'metrics'>,
  claimed: ClaimedDelivery,
  attempt: AttemptRecord,
  outcome: string,
): void {
  metrics.count('webhook_attempts_total', { outcome, error_kind: attempt.errorKind ?? 'none' })
  if (claimed.attemptCount > 1 || claimed.origin !== 'event') return
  const { dns_ms, connect_ms, tls_ms } = attempt.timings
  const sentAtMs = attempt.startedAt.getTime() + (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0)
  const seconds = Math.max(0, sentAtMs - claimed.occurredAt.getTime()) / 1000
  metrics.observe('webhook_event_to_hit_seconds', seconds, {}, claimed.traceparent ?? undefined)
}

/** Starts the span of an attempt, in the trace of the event. The receiver gets its `traceparent`. */
const startAttemptSpan = (
  { tracing }: Pick<Context, 'tracing'>,
  { workspaceId, webhookId, eventKind, attemptCount, traceparent }: ClaimedDelivery,
): Span | undefined =>
  tracing?.startSpan('webhook attempt', {
    kind: 'client',
    parent: traceparent,
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': attemptCount - 1,
      'wp.workspace_id': workspaceId,
      'wp.webhook_id': webhookId,
      'wp.event_kind': eventKind,
    },
  })

const phases = ['dns', 'connect', 'tls', 'first_byte'] as const

/** Ends the span with what the attempt recorded. Its events are the ends of the phases that took place. */
function endAttemptSpan(span: Span | undefined, { timings, statusCode, errorKind, startedAt }: AttemptRecord): void {
  if (span === undefined) return
  let atMs = startedAt.getTime()
  for (const phase of phases) {
    const duration = timings[`${phase}_ms`]
    if (typeof duration !== 'number') continue
    atMs += duration
    span.addEvent(phase, atMs)
  }
  if (statusCode !== null) span.setAttributes({ 'http.response.status_code': statusCode })
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300
  span.end(isDelivered ? undefined : (errorKind ?? String(statusCode)))
}
