import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'

/** Upper bound of the count, which keeps the query cheap for a long queue. */
const maxCount = 10_000

/** Reads the state of a queue, and reports what waits in it for operators and autoscaling. */
export interface QueueReader {
  /**
   * Returns the milliseconds until the next job of the queue is due or the next lease expires, at most 0 if one is or
   * has; undefined if no job is queued or running. Reads two entries of indexes, so that runners can poll with it; once
   * in `pollMs` it also counts what waits.
   */
  findMsUntilDue(): Promise<number | undefined>
  /** Counts while the runner does not read, because it is busy. */
  worker: Worker
}

/**
 * Creates the reader. Every replica reports the same number of due jobs, and how long the oldest has been due.
 */
export function createQueueReader(options: {
  worker: Database['worker']
  queue: string
  metrics: Metrics
  log: Log
  pollMs?: number
}): QueueReader {
  const { worker, queue, metrics, log, pollMs = 15_000 } = options
  let countedAt = Number.NEGATIVE_INFINITY

  async function findMsUntilDue(): Promise<number | undefined> {
    const isCounted = performance.now() - countedAt >= pollMs
    const { rows } = await worker.query<{ ms: number | null; waiting: number; oldest: number }>({
      name: 'read_job_queue',
      text: `SELECT extract(epoch FROM least(
          (SELECT run_at FROM platform.jobs WHERE queue = $1 AND state = 'queued' ORDER BY run_at LIMIT 1),
          (SELECT lease_until FROM platform.jobs WHERE queue = $1 AND state = 'running' ORDER BY lease_until LIMIT 1)
        ) - clock_timestamp())::float8 * 1000 AS ms,
        count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS oldest
      FROM (SELECT run_at FROM platform.jobs
            WHERE queue = $1 AND state = 'queued' AND run_at <= now() ORDER BY run_at LIMIT $2) AS due`,
      values: [queue, isCounted ? maxCount : 0],
    })
    if (isCounted) {
      countedAt = performance.now()
      metrics.gauge('jobs_waiting', rows[0]?.waiting ?? 0, { queue })
      metrics.gauge('jobs_oldest_waiting_seconds', rows[0]?.oldest ?? 0, { queue })
    }
    return rows[0]?.ms ?? undefined
  }

  async function pass(): Promise<number> {
    if (performance.now() - countedAt >= pollMs) await findMsUntilDue()
    return pollMs - (performance.now() - countedAt)
  }

  return { findMsUntilDue, worker: createLoop({ name: `count of waiting jobs, queue ${queue}`, pass, pollMs, log }) }
}
