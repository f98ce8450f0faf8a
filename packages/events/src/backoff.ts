/** How long to wait between failures that follow each other. Milliseconds. */
export interface Backoff {
  firstMs: number
  maxMs: number
}

/**
 * The pause after the n-th failure in a row, from 1: doubling up to the most, of which a random half is taken off, so
 * that replicas that failed together do not come back together.
 *
 * @param random a number from 0 up to, not including, 1
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random: number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return full * (1 - random / 2)
}

/** A poll's pause, a quarter more or less, so that replicas do not poll in step. */
export const jitteredMs = (ms: number, random: number): number => ms * (0.75 + random / 2)
