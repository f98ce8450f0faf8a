import { parseRetryAfterMs } from '@wp/outbound'
import type { AttemptRecord } from '../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../store/deliveries/claim-rows.ts'
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

/** Response of a receiver, as far as the result of an attempt depends on it. */
export interface ReceiverResponse {
  /** Null if no response head was received. */
  statusCode: number | null
  /** Kind of `OutboundError`, or `internal`; null if the whole response was read. */
  errorKind: string | null
  /** Value of the `Retry-After` header. */
  retryAfter: string | undefined
}

/** Result of an attempt, for its delivery and for its endpoint. */
export type AttemptResult =
  | { outcome: 'delivered' }
  /** `isOverloaded`: the endpoint should get fewer attempts at once. */
  | { outcome: 'failed'; action: 'retry'; isOverloaded: boolean }
  /** The receiver named the earliest time of the next attempt. */
  | { outcome: 'failed'; action: 'retry_after'; retryAfterMs: number; isOverloaded: true }
  /** The receiver wants no further deliveries (410). */
  | { outcome: 'failed'; action: 'disable' }

/** Classifies an attempt: 2xx is delivered, 410 disables the subscription, everything else is retried. */
export function classifyAttempt({ statusCode, errorKind, retryAfter }: ReceiverResponse, nowMs: number): AttemptResult {
  if (isSuccess(statusCode, errorKind)) return { outcome: 'delivered' }
  if (statusCode === 410) return { outcome: 'failed', action: 'disable' }
  if (statusCode === 429 || statusCode === 503) {
    const retryAfterMs = parseRetryAfterMs(retryAfter, nowMs)
    if (retryAfterMs !== undefined)
      return { outcome: 'failed', action: 'retry_after', retryAfterMs, isOverloaded: true }
  }
  return { outcome: 'failed', action: 'retry', isOverloaded: statusCode === 429 || errorKind === 'timeout' }
}

/** The status line decides. A compressed body, which is not read (`encoding`), does not turn a 2xx into a failure. */
const isSuccess = (statusCode: number | null, errorKind: string | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300 && (errorKind === null || errorKind === 'encoding')
