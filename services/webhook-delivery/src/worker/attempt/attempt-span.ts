import type { Span } from '@wp/runtime'
import type { Context } from '../../context.ts'
import type { AttemptRecord } from '../../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../../store/deliveries/claim-rows.ts'

/** Starts the span of an attempt, in the trace of the event. The receiver gets its `traceparent`. */
export const startAttemptSpan = (
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
export function endAttemptSpan(
  span: Span | undefined,
  { timings, statusCode, errorKind, startedAt }: AttemptRecord,
): void {
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
