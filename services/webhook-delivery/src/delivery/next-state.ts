import type { AttemptResult } from './classify-attempt.ts'
import { addJitter, computeRetryDelayMs } from './retry-schedule.ts'

/** What a delivery has behind it. */
export interface RetryProgress {
  /** Pauses of the schedule used so far. */
  retriesUsed: number
  /** When an answer with `Retry-After` last counted against the schedule. */
  throttledAtMs: number | null
}

/** What becomes of a delivery after an attempt. */
export interface NextState extends RetryProgress {
  status: 'pending' | 'delivered' | 'failed'
  /** From now to the next attempt; null when there is none. */
  delayMs: number | null
}

export interface RetryTiming {
  /** Pauses in seconds. */
  schedule: readonly number[]
  nowMs: number
  /** In [0, 1). */
  random: number
}

const hourMs = 3_600_000

/** Decides whether and when a delivery is tried again. */
export function computeNextState(progress: RetryProgress, result: AttemptResult, timing: RetryTiming): NextState {
  if (result.outcome === 'delivered') return { ...progress, status: 'delivered', delayMs: null }
  if (result.action === 'disable') return { ...progress, status: 'failed', delayMs: null }
  if (result.action === 'wait') return afterRetryAfter(progress, result.retryAfterMs, timing)
  return afterFailure(progress, timing)
}

function afterFailure(progress: RetryProgress, { schedule, random }: RetryTiming): NextState {
  const delayMs = computeRetryDelayMs(schedule, progress.retriesUsed, random)
  if (delayMs === undefined) return { ...progress, status: 'failed', delayMs: null }
  return { ...progress, status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1 }
}

/**
 * The receiver said when: no earlier than that, nor than the first pause of the schedule, since "at once" from many
 * receivers would be a loop. It counts against the schedule once an hour.
 */
function afterRetryAfter(
  progress: RetryProgress,
  retryAfterMs: number,
  { schedule, nowMs, random }: RetryTiming,
): NextState {
  const delayMs = addJitter(Math.max(retryAfterMs, (schedule[0] ?? 0) * 1000), random)
  const isCounted = progress.throttledAtMs === null || nowMs - progress.throttledAtMs >= hourMs
  if (!isCounted) return { ...progress, status: 'pending', delayMs }
  if (progress.retriesUsed >= schedule.length) return { ...progress, status: 'failed', delayMs: null }
  return { status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1, throttledAtMs: nowMs }
}
