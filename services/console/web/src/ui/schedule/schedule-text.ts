/** The schedule of a data source, as the API has it. */
export type Schedule =
  | { type: 'manual' }
  | { type: 'interval'; interval_seconds: number }
  | { type: 'cron'; expression: string; timezone?: string | undefined }

const units: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** Describes an interval in its largest whole unit: `every 6 hours`, `every day`. */
export function describeInterval(seconds: number): string {
  const [unit, size] =
    units.find(([, length]) => seconds >= length && seconds % length === 0) ?? (['second', 1] as const)
  const count = seconds / size
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/**
 * Describes the common cron expressions in words: `every day at 06:30`, `on weekdays at 06:30`. Others are described by
 * the expression itself.
 */
export function describeCron(expression: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.trim().toLowerCase().split(/\s+/)
  const isPlainTime = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour)
  if (month !== '*') return `by ${expression}`
  if (day === '*' && weekday === '*' && hour === '*' && /^\d{1,2}$/.test(minute))
    return `every hour at minute ${Number(minute)}`
  if (!isPlainTime) return `by ${expression}`
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*' && weekday === '*') return `every day at ${time}`
  if (day === '*' && ['1-5', 'mon-fri'].includes(weekday)) return `on weekdays at ${time}`
  const weekdayIndex = /^[0-7]$/.test(weekday) ? Number(weekday) : weekdayNames.indexOf(weekday)
  if (day === '*' && weekdayIndex >= 0) return `every ${weekdays[weekdayIndex]} at ${time}`
  if (weekday === '*' && /^\d{1,2}$/.test(day)) return `on day ${Number(day)} of every month at ${time}`
  return `by ${expression}`
}

/** Describes a schedule in words, without a capital. */
export function describeSchedule(schedule: Schedule): string {
  if (schedule.type === 'manual') return 'only when started'
  if (schedule.type === 'interval') return describeInterval(schedule.interval_seconds)
  const { expression, timezone = 'UTC' } = schedule
  return `${describeCron(expression)} (${timezone})`
}
