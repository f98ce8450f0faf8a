/** Each bucket ends a fifth above the one before, so that a value read from one is at most 10 % off (as in DDSketch). */
const growth = 1.2

/** From 1 ms to more than a minute. */
const bucketCount = 64

/** No attempts. */
export const emptyHistogram = (): number[] => Array<number>(bucketCount).fill(0)

/** The bucket a duration in milliseconds is counted in. */
export const toBucket = (ms: number): number =>
  Math.min(bucketCount - 1, Math.max(0, Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(growth))))

/** Counts of several hours together; none may have other buckets. */
export function mergeHistograms(counts: readonly (readonly number[])[]): number[] {
  const sum = emptyHistogram()
  for (const each of counts) for (const [bucket, count] of each.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
  return sum
}

/**
 * The duration within which this share of the attempts ended.
 * @param share above 0, at most 1
 * @returns milliseconds; null where there were none
 */
export function estimateQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  const bucket = counts.findIndex((count) => {
    seen += count
    return seen >= share * total
  })
  // The point from which both ends of the bucket are equally far, in proportion.
  return Math.round(((2 * growth ** bucket) / (growth + 1)) * 10) / 10
}
