/** Bounds of an exponential backoff, in milliseconds. */
export interface Backoff {
  firstMs: number
  maxMs: number
}

/**
 * Returns the pause after the n-th consecutive failure: exponential up to `maxMs`, minus a random part of at most half
 * (equal jitter), so that replicas that failed together do not retry together.
 *
 * @param failures consecutive failures, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random: number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return full * (1 - random / 2)
}

/**
 * Returns a polling interval varied by up to a quarter in both directions, so that replicas do not poll in step.
 *
 * @param random a number in [0, 1)
 */
export const jitteredMs = (ms: number, random: number): number => ms * (0.75 + random / 2)
