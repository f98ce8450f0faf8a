/** Seconds between failed attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const defaultRetrySchedule: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Longest jitter, as a share of the pause. It is only added, so that no retry comes early. */
const jitterShare = 0.2

/** A receiver can defer an attempt by at most a day. */
const maxDeferralMs = 86_400_000

/**
 * Computes the pause before the next retry.
 * @param retriesUsed pauses of the schedule used so far
 * @param random in [0, 1)
 * @returns milliseconds; undefined if the schedule is used up
 */
export function computeRetryDelayMs(
  schedule: readonly number[],
  retriesUsed: number,
  random: number,
): number | undefined {
  const pauseSeconds = schedule[retriesUsed]
  return pauseSeconds === undefined ? undefined : addJitter(pauseSeconds * 1000, random)
}

/** Adds up to a fifth. */
const addJitter = (delayMs: number, random: number): number => Math.round(delayMs * (1 + jitterShare * random))

/**
 * Computes the pause that a receiver requested, with jitter that ends at a day. A longer pause is shortened to between
 * five sixths of a day and a day, so that the deliveries of a receiver that names years do not all return at once.
 */
export function computeDeferralMs(requestedMs: number, random: number): number {
  const earliestMs = requestedMs > maxDeferralMs ? maxDeferralMs / (1 + jitterShare) : requestedMs
  const jitterMs = Math.min(earliestMs * jitterShare, maxDeferralMs - earliestMs)
  return Math.round(earliestMs + jitterMs * random)
}
