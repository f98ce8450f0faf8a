import type { Job, JobControl } from '@wp/jobs'
import type { Context } from '../context.ts'
import { applyFailurePolicy } from '../delivery/failure-policy.ts'
import { computeDeferralMs, computeRetryDelayMs } from '../delivery/retry-schedule.ts'
import type { Client, Tx } from '../store/client.ts'
import {
  countFailures,
  destinationQueue,
  type RecordedFailure,
  recordFailure,
  type WritableDestination,
} from '../store/destinations/progress.ts'
import { SinkError } from './sinks/sink.ts'

/** Longest pause between two attempts: records wait, so that a recovered destination is soon used again. */
const maxPauseSeconds = 1_800
/** Shortest pause once the schedule is used up, which bounds the load of a destination that fails for days. */
const minRepeatedPauseMs = 5_000
const dayMs = 86_400_000
/** Times without a success after which the workspace is notified, each once. */
const noticeAfterMs = [dayMs, 3 * dayMs]

/** Returns the event destination of a job. */
export const destinationOf = (job: Job): string => (job.input as { destinationId: string }).destinationId // written by the dispatcher

/** Ends a job whose write failed: stores the failure and the next attempt, or disables the event destination. */
export async function finishFailed(
  context: Pick<Context, 'settings' | 'now' | 'random' | 'log' | 'metrics'>,
  control: JobControl<Client>,
  destination: WritableDestination,
  failure: SinkError,
): Promise<void> {
  const { destinationId } = destination
  const { log, metrics } = context
  const delayMs = computePauseMs(context, destination, failure)
  const disabledReason =
    failure.code === 'gone' ? 'gone' : hasFailedForDays(destination, context.now()) ? 'failing' : null
  const fields = { err: failure, destination_id: destinationId, code: failure.code }
  if (failure.code === 'internal')
    log.error({ event: 'event_destination.failed', ...fields }, 'failed to write records')
  metrics.count('event_destination_failures_total', { code: failure.code })
  await control.finish(async (tx) => {
    await recordFailedWrite(tx, destinationId, failure, { delayMs, disabledReason })
    tx.wake(destinationQueue)
  })
}

/**
 * Records that a job was interrupted too often, in the transaction that fails it. The pause is that of any failure:
 * more likely than a batch that kills its process is that something else did, several times in a row.
 */
export async function recordInterruption(
  context: Pick<Context, 'settings' | 'random'>,
  tx: Tx,
  job: Job,
): Promise<void> {
  const failure = new SinkError('internal', 'Writing was interrupted too often')
  const consecutiveFailures = await countFailures(tx.query, destinationOf(job))
  const delayMs = computePauseMs(context, { consecutiveFailures }, failure)
  await recordFailedWrite(tx, destinationOf(job), failure, { delayMs, disabledReason: null })
}

async function recordFailedWrite(
  tx: Tx,
  destinationId: string,
  { code, message }: SinkError,
  next: { delayMs: number; disabledReason: 'gone' | 'failing' | null },
): Promise<void> {
  const errorCode = code === 'too_large' ? 'refused' : code
  const failure = await recordFailure(tx.query, destinationId, { code: errorCode, message, ...next })
  if (failure === undefined) return
  const { name } = failure
  const { disabledReason: reason } = next
  if (reason !== null) {
    const targets = [{ type: 'event_destination', id: destinationId }]
    tx.audit({ action: 'event_destination.disabled', targets, changes: { reason } })
    tx.emit({ kind: 'EVENT_DESTINATION_DISABLED', data: { id: destinationId, status: 'disabled', name, reason } })
  } else if (isNoticeDue(failure)) {
    const data = { name, failing_since: failure.failingSince.toISOString(), error_code: errorCode }
    tx.emit({ kind: 'EVENT_DESTINATION_FAILING', data: { id: destinationId, status: 'failing', ...data } })
  }
}

/** Returns true if this failure is the first after one of the times at which the workspace is notified. */
function isNoticeDue({ failingSince, lastFailureAt, failedBefore }: RecordedFailure): boolean {
  const spanMs = lastFailureAt.getTime() - failingSince.getTime()
  const spanBeforeMs = (failedBefore?.getTime() ?? 0) - failingSince.getTime()
  return noticeAfterMs.some((afterMs) => spanMs >= afterMs && spanBeforeMs < afterMs)
}

/** Returns the pause before the next attempt: the one asked for, or that of the schedule, half an hour at most. */
function computePauseMs(
  { settings, random }: Pick<Context, 'settings' | 'random'>,
  { consecutiveFailures }: Pick<WritableDestination, 'consecutiveFailures'>,
  { retryAfterMs }: SinkError,
): number {
  const schedule = settings.retrySchedule.filter((seconds) => seconds <= maxPauseSeconds)
  const used = Math.min(consecutiveFailures, schedule.length - 1)
  const pauseMs = computeRetryDelayMs(schedule, used, random()) ?? maxPauseSeconds * 1000
  const minPauseMs = consecutiveFailures < schedule.length ? 0 : minRepeatedPauseMs
  const askedMs = retryAfterMs === undefined ? 0 : computeDeferralMs(retryAfterMs, random())
  return Math.max(pauseMs, minPauseMs, askedMs)
}

/** Applies the policy of webhook endpoints: 20 failures, for 12 hours or more, and no success for 5 days. */
function hasFailedForDays(destination: WritableDestination, nowMs: number): boolean {
  const history = {
    lastHealthyAtMs: destination.lastHealthyAt.getTime(),
    failedAttempts: destination.consecutiveFailures,
    failingSinceMs: destination.failingSince?.getTime() ?? null,
    authFailures: 0,
    triggeredActions: [],
  }
  return applyFailurePolicy(history, { hasSucceeded: false, statusCode: null }, nowMs).actions.includes('disable')
}
