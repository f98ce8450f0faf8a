import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, noMetrics, type Worker } from '@wp/runtime'

/** Retention periods. Every condition is supported by an index. */
const rules = [
  // Published events are kept a day longer than in the stream, to refill a stream whose storage was lost.
  { table: 'outbox', where: `published_at < now() - interval '8 days'` },
  // Inbox rows outlive any event that could be published again.
  { table: 'inbox', where: `received_at < now() - interval '15 days'` },
  { table: 'idempotency', where: `created_at < now() - interval '24 hours'` },
  // Failed attempts without a later one: the stream no longer has the event. Dead letters are kept until redriven.
  { table: 'dead_events', where: `died_at IS NULL AND redrive_at IS NULL AND failed_at < now() - interval '15 days'` },
  // A workspace without a turn counts as the one served least recently.
  { table: 'job_turns', where: `served_at < now() - interval '1 day'` },
  { table: 'workspace_data_deletions', where: `finished_at < now() - interval '30 days'` },
] as const

export interface RetentionOptions {
  database: Pick<Database, 'worker'>
  service: string
  log: Log
  metrics?: Metrics
  /** Pause between passes; default 600,000 ms. */
  intervalMs?: number
  /** Maximum number of rows deleted by one statement, to keep locks short. Default 2,000. */
  batch?: number
}

/** Creates the worker that deletes expired rows of the platform tables. */
export function createRetention(options: RetentionOptions): Worker {
  const { database, service, log, metrics = noMetrics, intervalMs = 600_000, batch = 2_000 } = options

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    let isFull = false
    for (const { table, where } of rules) {
      if (signal.aborted) return 'idle'
      const { rowCount } = await database.worker.query(
        `DELETE FROM platform.${table} WHERE ctid IN
           (SELECT ctid FROM platform.${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
        [batch],
      )
      metrics.count('retention_removed_total', { table }, rowCount ?? 0)
      isFull ||= rowCount === batch
    }
    return isFull ? 'more' : 'idle'
  }

  return createLoop({ name: `retention of ${service}`, pass, pollMs: intervalMs, log })
}
