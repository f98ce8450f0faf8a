import type { AttemptRecord } from '../../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../../store/deliveries/claim-rows.ts'
import type { AttemptResult } from './classify-attempt.ts'
import { computeDeferralMs, computeRetryDelayMs } from './retry-schedule.ts'

/** Progress of a delivery through its retry schedule. */
export interface RetryProgress {
  /** Pauses of the schedule used so far. */
  retriesUsed: number
  /** Time a response with `Retry-After` last used up a pause. */
  throttledAtMs: number | null
}

/** State of a delivery after an attempt. */
export interface NextState extends RetryProgress {
  status: 'pending' | 'delivered' | 'failed'
  /** Pause before the next attempt; null if there is none. */
  delayMs: number | null
}

export interface RetryTiming {
  /** Pauses in seconds. */
  schedule: readonly number[]
  nowMs: number
  /** In [0, 1). */
  random: number
}

/** The part of a claimed delivery that the record of its attempt needs. */
export type AttemptedDelivery = Pick<
  ClaimedDelivery,
  | 'requestId'
  | 'leaseToken'
  | 'workspaceId'
  | 'webhookId'
  | 'endpoint'
  | 'attemptCount'
  | 'origin'
  | 'isManual'
  | 'isNew'
>

/** An attempt that has ended, and the next state of its delivery. */
export interface EndedAttempt {
  claimed: AttemptedDelivery
  result: AttemptResult
  nextState: NextState
  attempt: AttemptRecord
}

const hourMs = 3_600_000

/** Decides whether a delivery is retried, and when. */
export function computeNextState(progress: RetryProgress, result: AttemptResult, timing: RetryTiming): NextState {
  if (result.outcome === 'delivered') return { ...progress, status: 'delivered', delayMs: null }
  if (result.action === 'disable') return { ...progress, status: 'failed', delayMs: null }
  if (result.action === 'retry_after') return afterRetryAfter(progress, result.retryAfterMs, timing)
  return afterFailure(progress, timing)
}

function afterFailure(progress: RetryProgress, { schedule, random }: RetryTiming): NextState {
  const delayMs = computeRetryDelayMs(schedule, progress.retriesUsed, random)
  if (delayMs === undefined) return { ...progress, status: 'failed', delayMs: null }
  return { ...progress, status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1 }
}

/**
 * Waits as long as `Retry-After` says, up to a day, but at least the first pause of the schedule: a `Retry-After: 0`
 * would otherwise be a loop. Such responses use up one pause of the schedule per hour.
 */
function afterRetryAfter(
  progress: RetryProgress,
  retryAfterMs: number,
  { schedule, nowMs, random }: RetryTiming,
): NextState {
  const delayMs = computeDeferralMs(Math.max(retryAfterMs, (schedule[0] ?? 0) * 1000), random)
  const isCounted = progress.throttledAtMs === null || nowMs - progress.throttledAtMs >= hourMs
  if (!isCounted) return { ...progress, status: 'pending', delayMs }
  if (progress.retriesUsed >= schedule.length) return { ...progress, status: 'failed', delayMs: null }
  return { status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1, throttledAtMs: nowMs }
}
