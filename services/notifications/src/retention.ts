import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'
import { deleteEndedJobs, deleteExcessNotifications, deleteOldNotifications } from './store/retention.ts'

export const retentionDays = 90
/** Notifications kept in one feed. */
export const maxNotificationsPerFeed = 1_000
/** Rows deleted by one statement, to keep locks short. */
const batchRows = 2_000
const defaultPollMs = 600_000

export interface RetentionOptions {
  database: Pick<Database, 'worker'>
  log: Log
  metrics: Metrics
  /** Default `maxNotificationsPerFeed`. */
  keep?: number
  pollMs?: number
}

/** Creates the worker that deletes old and excess notifications, and the jobs that have ended. */
export function createNotificationRetention(options: RetentionOptions): Worker {
  const { database, log, metrics, keep = maxNotificationsPerFeed, pollMs = defaultPollMs } = options

  async function pass(): Promise<'more' | 'idle'> {
    const { worker } = database
    const old = await deleteOldNotifications(worker, { days: retentionDays, limit: batchRows })
    const excess = await deleteExcessNotifications(worker, { keep, limit: batchRows })
    const jobs = await deleteEndedJobs(worker, batchRows)
    metrics.count('retention_removed_total', { table: 'notifications' }, old + excess)
    metrics.count('retention_removed_total', { table: 'jobs' }, jobs)
    return [old, excess, jobs].includes(batchRows) ? 'more' : 'idle'
  }

  return createLoop({ name: 'retention of notifications', pass, pollMs, log })
}
