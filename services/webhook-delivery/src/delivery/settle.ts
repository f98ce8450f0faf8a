import { retryDelayMs, withJitter } from './schedule.ts'
import type { Verdict } from './verdict.ts'

/** What a delivery has behind it. */
export interface Progress {
  /** Pauses of the schedule used so far. */
  retriesUsed: number
  /** When an answer with `Retry-After` last counted against the schedule. */
  throttledAtMs: number | null
}

/** What becomes of a delivery after an attempt. */
export interface Settled extends Progress {
  status: 'pending' | 'delivered' | 'failed'
  /** From now to the next attempt; null when there is none. */
  delayMs: number | null
}

export interface Timing {
  /** Pauses in seconds. */
  schedule: readonly number[]
  nowMs: number
  /** In [0, 1). */
  random: number
}

const hourMs = 3_600_000

/** Decides whether and when a delivery is tried again. */
export function settle(progress: Progress, verdict: Verdict, timing: Timing): Settled {
  if (verdict.outcome === 'delivered') return { ...progress, status: 'delivered', delayMs: null }
  if (verdict.follow === 'disable') return { ...progress, status: 'failed', delayMs: null }
  if (verdict.follow === 'wait') return waited(progress, verdict.waitMs, timing)
  return retried(progress, timing)
}

function retried(progress: Progress, { schedule, random }: Timing): Settled {
  const delayMs = retryDelayMs(schedule, progress.retriesUsed, random)
  if (delayMs === undefined) return { ...progress, status: 'failed', delayMs: null }
  return { ...progress, status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1 }
}

/**
 * The receiver said when: no earlier than that, nor than the first pause of the schedule, since "at once" from many
 * receivers would be a loop. It counts against the schedule once an hour.
 */
function waited(progress: Progress, waitMs: number, { schedule, nowMs, random }: Timing): Settled {
  const delayMs = withJitter(Math.max(waitMs, (schedule[0] ?? 0) * 1000), random)
  const counted = progress.throttledAtMs === null || nowMs - progress.throttledAtMs >= hourMs
  if (!counted) return { ...progress, status: 'pending', delayMs }
  if (progress.retriesUsed >= schedule.length) return { ...progress, status: 'failed', delayMs: null }
  return { status: 'pending', delayMs, retriesUsed: progress.retriesUsed + 1, throttledAtMs: nowMs }
}
