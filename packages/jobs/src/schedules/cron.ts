import { Cron } from 'croner'

/**
 * Returns the first time after `now` that matches a cron expression; null if it never matches.
 *
 * A time of day that a clock change skips runs when the skipped hour ends; of a time that occurs twice the first
 * counts. Expressions with a wildcard minute or hour keep their distance across a clock change.
 */
export const nextCronRun = (expression: string, timezone: string, now: Date): Date | null =>
  new Cron(expression, { paused: true, fixedTimeRule: 'no-wildcard', timezone }).nextRun(now)

/**
 * Returns what is wrong with a cron expression: it is invalid, never matches, or has a seconds field. Undefined if it
 * is valid.
 */
export function cronError(expression: string, timezone: string, now: Date): string | undefined {
  if (!hasFiveFields(expression)) return 'must have five fields: minute, hour, day of the month, month, day of the week'
  try {
    return nextCronRun(expression, timezone, now) === null ? 'never matches a date' : undefined
  } catch {
    return 'must be five fields: minute (0 to 59), hour (0 to 23), day of the month (1 to 31), month (1 to 12), day of the week (0 to 7, or mon to sun)'
  }
}

/** croner also accepts a sixth field for seconds, nicknames such as @daily, and a single date. */
const hasFiveFields = (expression: string) => expression.trim().split(/\s+/).length === 5
