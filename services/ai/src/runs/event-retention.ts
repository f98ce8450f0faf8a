import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'

/** Rows deleted by one statement, to keep locks short. */
const batchRows = 2_000
const pollMs = 600_000

/**
 * Creates the worker that deletes the events of runs that ended before the retention period. The runs remain with their
 * output, steps and use.
 */
export function createEventRetention(options: {
  database: Pick<Database, 'worker'>
  retentionDays: number
  log: Log
  metrics: Metrics
}): Worker {
  const { database, retentionDays, log, metrics } = options

  /** Events of a run in progress stay, however old. */
  async function pass(): Promise<'more' | 'idle'> {
    const { rowCount } = await database.worker.query(
      `DELETE FROM run_events WHERE (run_id, seq) IN (
         SELECT event.run_id, event.seq FROM run_events AS event JOIN runs USING (run_id)
         WHERE event.created_at < now() - make_interval(days => $1) AND runs.ended_at < now() - make_interval(days => $1)
         ORDER BY event.created_at LIMIT $2)`,
      [retentionDays, batchRows],
    )
    metrics.count('retention_removed_total', { table: 'run_events' }, rowCount ?? 0)
    return rowCount === batchRows ? 'more' : 'idle'
  }

  return createLoop({ name: 'retention of run events', pass, pollMs, log })
}
