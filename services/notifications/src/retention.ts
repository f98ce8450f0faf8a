import type { Database } from '@wp/database'
import { endedJobsRetention, type RetentionRule, type Schedule } from '@wp/jobs/background'
import type { Metrics } from '@wp/runtime'
import { deleteExcessNotifications } from './store/notifications.ts'

export const retentionDays = 90
/** Notifications kept in one feed. */
export const maxNotificationsPerFeed = 1_000
/** Rows deleted by one statement, to keep locks short. */
const batchRows = 2_000

/** Retention of notifications, and of jobs, whose results are in other tables. */
export const retentionRules: readonly RetentionRule[] = [
  { table: 'notifications', column: 'created_at', period: `${retentionDays} days` },
  endedJobsRetention,
]

/** Returns the schedule that deletes the notifications of feeds beyond their newest. */
export function excessSchedule(options: { database: Pick<Database, 'worker'>; metrics: Metrics }): Schedule {
  const { database, metrics } = options

  async function pass(): Promise<'more' | 'idle'> {
    const excess = await deleteExcessNotifications(database.worker, { keep: maxNotificationsPerFeed, limit: batchRows })
    metrics.count('retention_removed_total', { table: 'notifications' }, excess)
    return excess === batchRows ? 'more' : 'idle'
  }
  return { name: 'excess notifications', everyMs: 600_000, pass }
}
