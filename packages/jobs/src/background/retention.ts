import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, noMetrics, type Worker } from '@wp/runtime'

/** Retention of the platform tables, which every service has. */
export const platformRetention: readonly RetentionRule[] = [
  // Published events are kept a day longer than in the stream, to refill a stream whose storage was lost.
  { table: 'platform.outbox', column: 'published_at', period: '8 days' },
  // Inbox rows outlive any event that could be published again.
  { table: 'platform.inbox', column: 'received_at', period: '15 days' },
  { table: 'platform.idempotency', column: 'created_at', period: '24 hours' },
  // Failed attempts without a later one: the stream no longer has the event. Dead letters are kept until redriven.
  {
    table: 'platform.dead_events',
    column: 'failed_at',
    period: '15 days',
    condition: 'died_at IS NULL AND redrive_at IS NULL',
  },
  // A workspace without a turn counts as the one served least recently.
  { table: 'platform.job_turns', column: 'served_at', period: '1 day' },
  { table: 'platform.workspace_data_deletions', column: 'finished_at', period: '30 days' },
]

/** Retention of ended jobs, for a service that has their results in other tables. */
export const endedJobsRetention: RetentionRule = {
  table: 'platform.jobs',
  column: 'finished_at',
  period: '1 day',
  condition: `state IN ('finished', 'failed', 'cancelled')`,
}

/** Rows of a table that are deleted after a period. */
export interface RetentionRule {
  /** Name of the table, with its schema unless it is `public`. Not partitioned. */
  table: string
  /** Column with the time from which the period counts. */
  column: string
  /** Interval of PostgreSQL, for example `8 days`. Without it, the rows expire at the time in the column. */
  period?: string
  /** Further condition of the rows, in SQL; `$1::interval` is the period. */
  condition?: string
  /** Maximum number of rows deleted by one statement, to keep locks short. Default 2,000. */
  batchRows?: number
  /** Pause between passes. Default 600,000 ms. */
  everyMs?: number
  /** Counter of the deleted rows. Default `retention_removed_total` with the name of the table. */
  metric?: { name: string; labels: Record<string, string> }
}

export interface RetentionOptions {
  database: Pick<Database, 'worker'>
  service: string
  rules: readonly RetentionRule[]
  log: Log
  metrics?: Metrics
}

const defaultBatchRows = 2_000
const defaultEveryMs = 600_000

/**
 * Creates the workers that delete expired rows, in batches: one for all rules with the same pause. A rule that fails
 * does not delay the others. Replicas may run the same rules: a row that another transaction has locked is skipped.
 */
export function createRetention({ service, rules, log, ...options }: RetentionOptions): Worker[] {
  const rulesByPause = Map.groupBy(rules, ({ everyMs = defaultEveryMs }) => everyMs)
  return [...rulesByPause].map(([pollMs, group]) =>
    createLoop({ name: `retention of ${service}`, pass: (signal) => applyRules(options, group, signal), pollMs, log }),
  )
}

async function applyRules(
  { database, metrics = noMetrics }: Pick<RetentionOptions, 'database' | 'metrics'>,
  rules: readonly RetentionRule[],
  signal: AbortSignal,
): Promise<'more' | 'idle'> {
  const failures: unknown[] = []
  let isFull = false
  for (const rule of rules) {
    if (signal.aborted) return 'idle'
    try {
      const removed = await deleteExpired(database.worker, rule)
      const { name, labels } = rule.metric ?? { name: 'retention_removed_total', labels: { table: baseName(rule) } }
      metrics.count(name, labels, removed)
      isFull ||= removed === (rule.batchRows ?? defaultBatchRows)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return isFull ? 'more' : 'idle'
}

const baseName = ({ table }: RetentionRule): string => table.slice(table.indexOf('.') + 1)

/** Deletes one batch of the expired rows of a rule, the oldest first. @returns the number of deleted rows */
export async function deleteExpired(pool: Pick<Database['worker'], 'query'>, rule: RetentionRule): Promise<number> {
  const { table, column, period = '0 seconds', condition = 'true', batchRows = defaultBatchRows } = rule
  const { rowCount } = await pool.query(
    `DELETE FROM ${table} WHERE ctid IN
       (SELECT ctid FROM ${table} WHERE ${column} < now() - $1::interval AND (${condition})
        ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [period, batchRows],
  )
  return rowCount ?? 0
}
