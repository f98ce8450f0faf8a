import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'

/** Beyond so many the figure says nothing new, and counting on would cost more than it tells. */
const maxCount = 10_000

/**
 * Tells the operator, and whatever adds replicas, how many jobs of a queue could run now and do not. Each replica
 * reports the same.
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
    const { rows } = await worker.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (
         SELECT FROM platform.jobs WHERE queue = $1 AND state = 'queued' AND run_at <= now() LIMIT ${maxCount}) AS due`,
      [queue],
    )
    metrics.gauge('jobs_waiting', rows[0]?.waiting ?? 0, { queue })
    return 'idle'
  }
  return createLoop({ name: `count of waiting jobs, queue ${queue}`, pass, pollMs, log })
}
