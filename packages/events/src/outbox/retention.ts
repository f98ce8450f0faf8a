import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, noMetrics, type Worker } from '@wp/runtime'

/** What is removed, and when. Each by an index of its table. */
const rules = [
  // Published events stay a day longer than the stream keeps them: they are what a lost storage is refilled from.
  { table: 'outbox', where: `published_at < now() - interval '8 days'` },
  // Inbox rows stay longer than anything that could still be published again.
  { table: 'inbox', where: `received_at < now() - interval '15 days'` },
  { table: 'idempotency', where: `created_at < now() - interval '24 hours'` },
  // Failed tries that no try followed: the event left the stream meanwhile. Dead events stay until they are redriven.
  { table: 'dead_events', where: `died_at IS NULL AND redrive_at IS NULL AND failed_at < now() - interval '15 days'` },
] as const

export interface RetentionOptions {
  database: Pick<Database, 'worker'>
  service: string
  log: Log
  metrics?: Metrics
  /** Default 600,000. */
  everyMs?: number
  /** Rows one statement removes; default 2,000. Small, so that no lock is held long. */
  batch?: number
}

/** Removes what the platform's tables have kept long enough. */
export function createRetention(options: RetentionOptions): Worker {
  const { database, service, log, metrics = noMetrics, everyMs = 600_000, batch = 2_000 } = options

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    let full = false
    for (const { table, where } of rules) {
      if (signal.aborted) return 'idle'
      const { rowCount } = await database.worker.query(
        `DELETE FROM platform.${table} WHERE ctid IN
           (SELECT ctid FROM platform.${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
        [batch],
      )
      metrics.count('retention_removed_total', { table }, rowCount ?? 0)
      full ||= rowCount === batch
    }
    return full ? 'more' : 'idle'
  }

  return createLoop({ name: `retention of ${service}`, pass, pollMs: everyMs, log })
}
