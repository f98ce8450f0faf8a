import { invalidField, type Schedule } from '@wp/contracts'
import { Cron } from 'croner'

/**
 * When a schedule is due next: always later than now, so that what was missed meanwhile is made up for by one run.
 *
 * A time of day that a change of clocks skips is taken when it ends, one that comes twice the first time; what comes
 * every so many minutes or hours simply goes on.
 * @param due when it was due last; nothing for a schedule that is new
 * @returns null for never
 */
export function nextRun(schedule: Schedule, now: Date, due?: Date | null): Date | null {
  if (schedule.type === 'manual') return null
  if (schedule.type === 'cron') return createCron(schedule.expression, schedule.timezone).nextRun(now)
  const everyMs = schedule.interval_seconds * 1000
  const from = (due ?? now).getTime()
  const missed = Math.max(0, Math.floor((now.getTime() - from) / everyMs))
  return new Date(from + (missed + 1) * everyMs)
}

/** @throws Problem `validation_failed` for what is no expression, never comes, or comes more than once a minute */
export function validateSchedule(schedule: Schedule, now: Date): void {
  if (schedule.type !== 'cron') return
  const { expression, timezone } = schedule
  if (!hasFiveFields(expression))
    throw invalidExpression('must have five parts: minute, hour, day of the month, month, day of the week')
  let next: Date | null
  try {
    next = createCron(expression, timezone).nextRun(now)
  } catch (error) {
    throw invalidExpression(parseErrorReason(error))
  }
  if (next === null) throw invalidExpression('never comes')
}

const createCron = (expression: string, timezone: string) =>
  new Cron(expression, { paused: true, fixedTimeRule: 'no-wildcard', timezone })

/** Six parts would name seconds; one part a day, or a single date, which croner would take too. */
const hasFiveFields = (expression: string) => expression.trim().split(/\s+/).length === 5

/** Croner's own words, without its name. */
const parseErrorReason = (error: unknown) =>
  `cannot be read: ${String(error instanceof Error ? error.message : error).replace(/^Cron\w*: /, '')}`

const invalidExpression = (detail: string) => invalidField('/schedule/expression', detail)
