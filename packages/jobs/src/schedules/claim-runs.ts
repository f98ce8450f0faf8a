import type { Database, Query } from '@wp/database'
import { type CalendarRule, type CalendarRun, countDates, firstRunFrom, lastRun, nextRun } from './calendar-runs.ts'
import { createLocalClock, type LocalClock } from './local-clock.ts'

type WorkerPool = Database['worker']

interface DueFilter {
  queues: readonly string[]
  /** Default: the time of the database. */
  now: Date | undefined
}

/**
 * Lists workspaces with due schedules in the order of their identifiers, from the one after `after` on and then from
 * the beginning, so that all take turns.
 */
export async function listDueWorkspaces(
  worker: WorkerPool,
  { queues, now, after, limit }: DueFilter & { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await worker.query<{ workspaceId: string }>(
    `SELECT workspace_id FROM platform.schedules
     WHERE queue = ANY ($1) AND next_at <= coalesce($2::timestamptz, now())
     GROUP BY workspace_id ORDER BY workspace_id <= $3, workspace_id LIMIT $4`,
    [queues, now ?? null, after, limit],
  )
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Returns the milliseconds until the next schedule is due; null if there is none. */
export async function readPauseMs(worker: WorkerPool, { queues, now }: DueFilter): Promise<number | null> {
  const { rows } = await worker.query<{ pauseMs: number }>(
    `SELECT (extract(epoch FROM next_at - coalesce($2::timestamptz, now())) * 1000)::float8 AS pause_ms
     FROM platform.schedules WHERE queue = ANY ($1) AND next_at IS NOT NULL ORDER BY next_at LIMIT 1`,
    [queues, now ?? null],
  )
  return rows[0]?.pauseMs ?? null
}

interface DueRow extends CalendarRule {
  queue: string
  resourceId: string
  nextDate: string
  now: Date
}

/** A schedule that was claimed, and moved to its next run. */
export interface ClaimedSchedule {
  queue: string
  resourceId: string
  /** The date to run; null if the run is not due after all, because the rules of the time zone have changed. */
  date: string | null
  /** Number of earlier dates that were missed. */
  skipped: number
}

/**
 * Locks up to `limit` due schedules of a workspace and moves each to its next run. Those that another transaction has
 * locked are left to it.
 */
export async function claimRuns(
  query: Query,
  { workspaceId, queues, now, limit }: DueFilter & { workspaceId: string; limit: number },
): Promise<ClaimedSchedule[]> {
  const rows = await query<DueRow>(
    `SELECT queue, resource_id, local_time, timezone, weekdays, next_date, coalesce($3::timestamptz, now()) AS now
     FROM platform.schedules
     WHERE workspace_id = $1 AND queue = ANY ($2) AND next_at <= coalesce($3::timestamptz, now())
     ORDER BY next_at LIMIT $4 FOR UPDATE SKIP LOCKED`,
    [workspaceId, queues, now ?? null, limit],
  )
  const clocks = new Map<string, LocalClock>()
  const claimed = rows.map((row) => {
    const clock = clocks.get(row.timezone) ?? createLocalClock(row.timezone)
    clocks.set(row.timezone, clock)
    return { ...row, ...decideRun(row, clock) }
  })
  await query(
    `UPDATE platform.schedules AS schedule SET next_at = claimed.next_at, next_date = claimed.next_date,
       last_date = coalesce(claimed.last_date, schedule.last_date)
     FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::date[], $6::date[])
       AS claimed (queue, resource_id, next_at, next_date, last_date)
     WHERE schedule.workspace_id = $1 AND schedule.queue = claimed.queue AND schedule.resource_id = claimed.resource_id`,
    [
      workspaceId,
      claimed.map(({ queue }) => queue),
      claimed.map(({ resourceId }) => resourceId),
      claimed.map(({ next }) => next.at),
      claimed.map(({ next }) => next.date),
      claimed.map(({ date }) => date),
    ],
  )
  return claimed.map(({ queue, resourceId, date, skipped }) => ({ queue, resourceId, date, skipped }))
}

/** Decides the date to run: the latest due one. Dates missed before it are skipped. */
function decideRun(row: DueRow, clock: LocalClock): { date: string | null; skipped: number; next: CalendarRun } {
  const { nextDate, now } = row
  const latest = lastRun(row, now, clock)
  if (latest.date < nextDate) return { date: null, skipped: 0, next: firstRunFrom(row, nextDate, clock) }
  return { date: latest.date, skipped: countDates(row, nextDate, latest.date), next: nextRun(row, now, clock) }
}
