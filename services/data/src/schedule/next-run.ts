import { invalidField, type Schedule } from '@wp/contracts'
import { cronError, nextCronRun } from '@wp/jobs'

/**
 * Returns the next time a schedule is due, always after `now`: one run makes up for all missed ones. Intervals keep
 * their distance across a clock change; for expressions see `nextCronRun`.
 * @param due the last time it was due; undefined for a new schedule
 * @returns null for a manual schedule and for an expression that never matches
 */
export function nextRun(schedule: Schedule, now: Date, due?: Date | null): Date | null {
  if (schedule.type === 'manual') return null
  if (schedule.type === 'cron') return nextCronRun(schedule.expression, schedule.timezone, now)
  const intervalMs = schedule.interval_seconds * 1000
  const lastDueMs = (due ?? now).getTime()
  const missedRuns = Math.max(0, Math.floor((now.getTime() - lastDueMs) / intervalMs))
  return new Date(lastDueMs + (missedRuns + 1) * intervalMs)
}

/** @throws Problem `validation_failed` for a cron expression that is invalid, never matches or has a seconds field */
export function validateSchedule(schedule: Schedule, now: Date): void {
  const error = schedule.type === 'cron' ? cronError(schedule.expression, schedule.timezone, now) : undefined
  if (error !== undefined) throw invalidField('/schedule/expression', error)
}
