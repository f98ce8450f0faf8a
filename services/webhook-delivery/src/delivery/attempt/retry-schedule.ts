/** Seconds between failed attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const defaultRetrySchedule: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Longest jitter, as a share of the pause. It is only added, so that no retry comes early. */
const jitterShare = 0.2

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
export const addJitter = (delayMs: number, random: number): number => Math.round(delayMs * (1 + jitterShare * random))
