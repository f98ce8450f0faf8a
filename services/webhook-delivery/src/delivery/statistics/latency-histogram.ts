/** Ratio of consecutive bucket limits. A value read from a bucket is at most 10 % off, as in DDSketch. */
const growth = 1.2

/** Covers 1 ms to more than a minute. */
const bucketCount = 64

export const emptyHistogram = (): number[] => Array<number>(bucketCount).fill(0)

/** Returns the index of the bucket that counts a duration. */
export const toBucket = (ms: number): number =>
  Math.min(bucketCount - 1, Math.max(0, Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(growth))))

/** Counts durations, in milliseconds. */
export function countDurations(durationsMs: readonly number[]): number[] {
  const counts = emptyHistogram()
  for (const bucket of durationsMs.map(toBucket)) counts[bucket] = (counts[bucket] ?? 0) + 1
  return counts
}

/** Adds histograms of the same buckets. */
export function mergeHistograms(histograms: readonly (readonly number[])[]): number[] {
  const sum = emptyHistogram()
  for (const counts of histograms)
    for (const [bucket, count] of counts.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
  return sum
}

/**
 * Estimates the duration that this share of the attempts did not exceed.
 * @param share above 0, at most 1
 * @returns milliseconds; null for an empty histogram
 */
export function estimateQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let cumulative = 0
  const bucket = counts.findIndex((count) => {
    cumulative += count
    return cumulative >= share * total
  })
  // The value with the same relative error towards both limits of the bucket.
  return Math.round(((2 * growth ** bucket) / (growth + 1)) * 10) / 10
}
