import type { Weekday } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type QuerySource, queryOf } from '../queue/job.ts'
import { type CalendarRule, type CalendarRun, firstRunFrom, nextRun } from './calendar-runs.ts'
import { addDays, createLocalClock } from './local-clock.ts'

/** The resource that a schedule belongs to, and the queue that gets its jobs. One schedule for each pair. */
export interface ScheduleKey {
  queue: string
  resourceId: string
}

export interface NewSchedule extends ScheduleKey {
  /** `HH:MM`, 00:00 to 23:59. */
  localTime: string
  /** IANA time zone. */
  timezone: string
  /** At least one; default: all. */
  weekdays?: readonly Weekday[] | null | undefined
  /**
   * True for a schedule that must not run for now. Unlike a removed schedule it remembers the date of its last run.
   * Default false.
   */
  isPaused?: boolean | undefined
}

/** Queue whose wake-ups announce a changed schedule. */
export const scheduleQueue = 'calendar_schedules'

interface PutRow {
  nextDate: string | null
  lastDate: string | null
  now: Date
}

/**
 * Creates or changes a schedule in the transaction's workspace. A new schedule runs first at the next local time to
 * come. A changed one keeps the dates that have run, which do not run again, and a run that was still to come: if its
 * new time has passed, it is due at once.
 *
 * @param now default: the time of the database
 * @returns the next run; null if paused
 * @throws RangeError, or the error of the table's checks, if the time zone, the local time or the weekdays are invalid
 */
export async function putSchedule(tx: Transaction, schedule: NewSchedule, now?: Date): Promise<CalendarRun | null> {
  const { queue, resourceId, localTime, timezone, weekdays = null, isPaused = false } = schedule
  if (tx.workspaceId === null) throw new Error('a schedule belongs to a workspace')
  const rule = { localTime, timezone, weekdays }
  const key = [tx.workspaceId, queue, resourceId]
  // Locks the row, so that a run that is being claimed is counted, or follows the change.
  const [row] = await tx.query<PutRow>(
    `INSERT INTO platform.schedules (workspace_id, queue, resource_id, local_time, timezone, weekdays)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, queue, resource_id) DO UPDATE SET local_time = excluded.local_time,
       timezone = excluded.timezone, weekdays = excluded.weekdays, updated_at = now()
     RETURNING next_date, last_date, coalesce($7::timestamptz, now()) AS now`,
    [...key, localTime, timezone, weekdays, now ?? null],
  )
  if (row === undefined) throw new Error('the schedule was not written')
  const next = nextAfterChange(rule, row)
  await tx.query(
    'UPDATE platform.schedules SET next_at = $4, next_date = $5 WHERE workspace_id = $1 AND queue = $2 AND resource_id = $3',
    [...key, ...(isPaused ? [null, null] : [next.at, next.date])],
  )
  tx.wake(scheduleQueue)
  return isPaused ? null : next
}

/**
 * Returns the first run of a rule after the last date, of those still to come and those from the pending date on: the
 * pending run may already be due under the new rule, and a new rule may have runs before it.
 */
function nextAfterChange(rule: CalendarRule, { nextDate, lastDate, now }: PutRow): CalendarRun {
  const clock = createLocalClock(rule.timezone)
  const coming = nextRun(rule, now, clock)
  const pending = nextDate !== null && nextDate < coming.date ? firstRunFrom(rule, nextDate, clock) : coming
  return lastDate === null || pending.date > lastDate ? pending : firstRunFrom(rule, addDays(lastDate, 1), clock)
}

/** Removes a schedule of the transaction's workspace. Jobs that it has enqueued stay. */
export async function removeSchedule(tx: Transaction, { queue, resourceId }: ScheduleKey): Promise<void> {
  await tx.query('DELETE FROM platform.schedules WHERE workspace_id = $1 AND queue = $2 AND resource_id = $3', [
    tx.workspaceId,
    queue,
    resourceId,
  ])
}

/** Returns the times of the next runs of a workspace's schedules, by resource. Paused schedules have none. */
export async function listNextRuns(
  source: QuerySource,
  { workspaceId, queue, resourceIds }: { workspaceId: string; queue: string; resourceIds: readonly string[] },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await queryOf(source)<{ resourceId: string; nextAt: Date }>(
    `SELECT resource_id, next_at FROM platform.schedules
     WHERE workspace_id = $1 AND queue = $2 AND resource_id = ANY ($3) AND next_at IS NOT NULL`,
    [workspaceId, queue, resourceIds],
  )
  return new Map(rows.map(({ resourceId, nextAt }) => [resourceId, nextAt]))
}
