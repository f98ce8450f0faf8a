import { Cron } from 'croner'
import type { Schedule } from './schedule-text.ts'

/**
 * Returns the next times a schedule is due, computed as the platform does.
 * @returns undefined for an expression that is not valid yet
 */
export function nextRuns(schedule: Schedule, now: Date, count: number): Date[] | undefined {
  if (schedule.type === 'manual') return []
  if (schedule.type === 'interval')
    return Array.from(
      { length: count },
      (_, index) => new Date(now.getTime() + (index + 1) * schedule.interval_seconds * 1000),
    )
  const { expression, timezone = 'UTC' } = schedule
  if (expression.trim().split(/\s+/).length !== 5) return undefined // croner also takes seconds, nicknames and a date
  try {
    return new Cron(expression, { paused: true, fixedTimeRule: 'no-wildcard', timezone }).nextRuns(count, now)
  } catch {
    return undefined
  }
}
