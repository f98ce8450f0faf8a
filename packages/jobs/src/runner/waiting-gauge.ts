import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'

/** Upper bound of the count, which keeps the query cheap for a long queue. */
const maxCount = 10_000

/**
 * Creates the worker that reports the number of due jobs of a queue, and how long the oldest has been due, for
 * operators and autoscaling. Every replica reports the same number.
 */
export function createWaitingGauge(options: {
  worker: Database['worker']
  queue: string
  metrics: Metrics
  log: Log
  pollMs?: number
}): Worker {
  const { worker, queue, metrics, log, pollMs = 15_000 } = options
  async function pass(): Promise<'idle'> {
    const { rows } = await worker.query<{ waiting: number; oldest: number }>(
      `SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS oldest FROM (
         SELECT run_at FROM platform.jobs WHERE queue = $1 AND state = 'queued' AND run_at <= now() LIMIT ${maxCount}) AS due`,
      [queue],
    )
    metrics.gauge('jobs_waiting', rows[0]?.waiting ?? 0, { queue })
    metrics.gauge('jobs_oldest_waiting_seconds', rows[0]?.oldest ?? 0, { queue })
    return 'idle'
  }
  return createLoop({ name: `count of waiting jobs, queue ${queue}`, pass, pollMs, log })
}
