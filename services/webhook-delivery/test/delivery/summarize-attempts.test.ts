import { describe, expect, it } from '@jest/globals'
import {
  countDurations,
  emptyHistogram,
  estimateQuantile,
  mergeHistograms,
  summarizeHours,
  toBucket,
} from '../../src/delivery/summarize-attempts.ts'

describe('estimateQuantile', () => {
  it('is at most 10 % off, with a fixed number of buckets', () => {
    const durations = Array.from({ length: 1_000 }, (_, index) => 1.5 * 1.009 ** index)
    const counts = countDurations(durations)
    expect(counts).toHaveLength(64)
    for (const share of [0.01, 0.5, 0.95, 0.99]) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? Number.NaN
      expect(Math.abs((estimateQuantile(counts, share) ?? 0) / exact - 1)).toBeLessThan(0.1)
    }
  })

  it('returns null for an empty histogram', () => {
    expect(estimateQuantile(emptyHistogram(), 0.5)).toBeNull()
  })
})

describe('toBucket', () => {
  it('returns the first or last bucket for durations outside the range', () => {
    expect([0, 0.2, 1, 3_600_000].map(toBucket)).toEqual([0, 0, 0, 63])
  })
})

describe('mergeHistograms', () => {
  it('adds the counts of each bucket', () => {
    expect(mergeHistograms([countDurations([1, 50]), countDurations([50])])).toEqual(countDurations([50, 1, 50]))
  })
})

describe('summarizeHours', () => {
  const hourOf = (latencies: readonly number[], durations = latencies) => ({
    delivered: latencies.length,
    failed: 0,
    latencies: countDurations(latencies),
    durations: [...durations],
  })

  it('returns the durations themselves when every hour has kept all of its own', () => {
    expect(summarizeHours([hourOf([66])])).toEqual({ successRate: 1, p50Ms: 66, p95Ms: 66 })
    expect(summarizeHours([hourOf([300, 66]), hourOf([70.04])])).toMatchObject({ p50Ms: 70, p95Ms: 300 })
  })

  it('estimates them from the histogram when an hour has more than it keeps', () => {
    expect(summarizeHours([hourOf([66, 66, 66], [66, 66]), hourOf([])])).toMatchObject({ p50Ms: 60.2, p95Ms: 60.2 })
  })
})
