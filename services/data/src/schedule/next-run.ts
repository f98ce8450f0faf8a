import { invalidField, type Schedule } from '@wp/contracts'
import { Cron } from 'croner'

/**
 * Returns the next time a schedule is due, always after `now`: one run makes up for all missed ones.
 *
 * A time of day that a clock change skips runs when the skipped hour ends; of a time that occurs twice the first
 * counts. Expressions with a wildcard minute or hour, and intervals, keep their distance across a clock change.
 * @param due the last time it was due; undefined for a new schedule
 * @returns null for a manual schedule and for an expression that never matches
 */
export function nextRun(schedule: Schedule, now: Date, due?: Date | null): Date | null {
  if (schedule.type === 'manual') return null
  if (schedule.type === 'cron') return createCron(schedule.expression, schedule.timezone).nextRun(now)
  const intervalMs = schedule.interval_seconds * 1000
  const lastDueMs = (due ?? now).getTime()
  const missedRuns = Math.max(0, Math.floor((now.getTime() - lastDueMs) / intervalMs))
  return new Date(lastDueMs + (missedRuns + 1) * intervalMs)
}

/** @throws Problem `validation_failed` for a cron expression that is invalid, never matches or has a seconds field */
export function validateSchedule(schedule: Schedule, now: Date): void {
  if (schedule.type !== 'cron') return
  const { expression, timezone } = schedule
  if (!hasFiveFields(expression))
    throw invalidExpression('must have five fields: minute, hour, day of the month, month, day of the week')
  let next: Date | null
  try {
    next = createCron(expression, timezone).nextRun(now)
  } catch {
    throw invalidExpression(cronFields)
  }
  if (next === null) throw invalidExpression('never matches a date')
}

const createCron = (expression: string, timezone: string) =>
  new Cron(expression, { paused: true, fixedTimeRule: 'no-wildcard', timezone })

/** croner also accepts a sixth field for seconds, nicknames such as @daily, and a single date. */
const hasFiveFields = (expression: string) => expression.trim().split(/\s+/).length === 5

const cronFields =
  'must be five fields: minute (0 to 59), hour (0 to 23), day of the month (1 to 31), month (1 to 12), day of the week (0 to 7, or mon to sun)'

const invalidExpression = (detail: string) => invalidField('/schedule/expression', detail)
