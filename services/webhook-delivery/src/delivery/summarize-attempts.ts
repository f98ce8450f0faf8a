import type { HourlyAttempts } from '../store/subscriptions/statistics.ts'
import type { EndedAttempt } from './next-state.ts'

/** Groups attempts by subscription. Failures on the platform's side say nothing about the receiver and are left out. */
export function countByWebhook(
  attempts: readonly EndedAttempt[],
): (HourlyAttempts & { webhookId: string; workspaceId: string })[] {
  const counted = attempts.filter(({ attempt }) => attempt.errorKind !== 'internal')
  return [...Map.groupBy(counted, ({ claimed }) => claimed.webhookId)].map(([webhookId, own]) => {
    const delivered = own.filter(({ result }) => result.outcome === 'delivered')
    const durations = delivered.map(({ attempt }) => attempt.timings.total_ms ?? 0)
    return {
      webhookId,
      workspaceId: own[0]?.claimed.workspaceId ?? '',
      delivered: delivered.length,
      failed: own.length - delivered.length,
      latencies: countDurations(durations),
      durations,
    }
  })
}

export interface AttemptSummary {
  /** Share of successful attempts, 0 to 1; null without attempts. */
  successRate: number | null
  p50Ms: number | null
  p95Ms: number | null
}

/** Summarizes the attempts of several hours. */
export function summarizeHours(hours: readonly HourlyAttempts[]): AttemptSummary {
  const sum = (outcome: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[outcome], 0)
  const attempts = sum('delivered') + sum('failed')
  const durations = hours.flatMap((hour) => hour.durations).toSorted((first, second) => first - second)
  const latencies = mergeHistograms(hours.map((hour) => hour.latencies))
  // An hour keeps its first durations only. Those of all attempts are as exact as the attempts that are listed.
  const quantile = (share: number) =>
    durations.length > 0 && durations.length === sum('delivered')
      ? Math.round((durations[Math.ceil(share * durations.length) - 1] ?? 0) * 10) / 10
      : estimateQuantile(latencies, share)
  return {
    successRate: attempts === 0 ? null : Math.round((sum('delivered') / attempts) * 10_000) / 10_000,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
  }
}

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
