import type { HourlyAttempts } from '../../store/subscriptions/statistics.ts'
import type { EndedAttempt } from '../attempt/next-state.ts'
import { countDurations, estimateQuantile, mergeHistograms } from './latency-histogram.ts'

/** Groups attempts by subscription. Failures on the platform's side say nothing about the receiver and are left out. */
export function countByWebhook(
  attempts: readonly EndedAttempt[],
): (HourlyAttempts & { webhookId: string; workspaceId: string })[] {
  const counted = attempts.filter(({ attempt }) => attempt.errorKind !== 'internal')
  return [...Map.groupBy(counted, ({ claimed }) => claimed.webhookId)].map(([webhookId, own]) => {
    const delivered = own.filter(({ result }) => result.outcome === 'delivered')
    return {
      webhookId,
      workspaceId: own[0]?.claimed.workspaceId ?? '',
      delivered: delivered.length,
      failed: own.length - delivered.length,
      latencies: countDurations(delivered.map(({ attempt }) => attempt.timings.total_ms ?? 0)),
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
  const latencies = mergeHistograms(hours.map((hour) => hour.latencies))
  return {
    successRate: attempts === 0 ? null : Math.round((sum('delivered') / attempts) * 10_000) / 10_000,
    p50Ms: estimateQuantile(latencies, 0.5),
    p95Ms: estimateQuantile(latencies, 0.95),
  }
}
