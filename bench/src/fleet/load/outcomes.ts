import { quantile } from '../../harness/statistics.ts'
import type { Outcome, Status } from './generator.ts'

/** Latencies in milliseconds, of all requests, from the time at which each was due. */
export interface Summary {
  requests: number
  /** Successful responses per second of the load. */
  perSecond: number
  p50: number
  p95: number
  p99: number
  failures: number
  /** The number of failures of each status. */
  failuresByStatus: Record<string, number>
}

/** @param seconds the duration of the load */
export function summarize(
  outcomes: readonly Pick<Outcome<unknown>, 'status' | 'latencyMs'>[],
  seconds: number,
): Summary {
  const latencies = Float64Array.from(outcomes, ({ latencyMs }) => latencyMs).sort()
  const failed = outcomes.filter(({ status }) => !isSuccess(status))
  return {
    requests: outcomes.length,
    perSecond: (outcomes.length - failed.length) / seconds,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    failures: failed.length,
    failuresByStatus: countBy(failed, ({ status }) => String(status)),
  }
}

/** Summarizes the outcomes of each operation. */
export function summarizeByOperation<Operation extends { name: string }>(
  outcomes: readonly Outcome<Operation>[],
  seconds: number,
): Map<Operation, Summary> {
  const groups = Map.groupBy(outcomes, ({ operation }) => operation)
  return new Map([...groups].map(([operation, group]) => [operation, summarize(group, seconds)]))
}

/** Returns the failures as text, for example `503: 2, timeout: 1`. */
export const formatFailures = ({ failuresByStatus }: Summary): string =>
  Object.entries(failuresByStatus)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')

const isSuccess = (status: Status): boolean => typeof status === 'number' && status >= 200 && status < 300

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}
