/** The periods that times are grouped by, and the parts of a week and of a day that come again. */
export const timeBuckets = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'weekday', 'hour_of_day'] as const
export type TimeBucket = (typeof timeBuckets)[number]

const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}))?/

/**
 * Returns the period of a time in ISO 8601, by its own digits: `2026-03-05T09:30` is in `2026-03-05`, `2026-03` and
 * `2026-Q1`. A week is named by its Monday, an hour of the day as `09:00`. Undefined for anything else, and for the
 * hour of a day without a time.
 */
export function bucketOf(value: unknown, bucket: TimeBucket): string | undefined {
  const [, year = '', month = '', day = '', hour] = timePattern.exec(String(value)) ?? []
  if (year === '') return undefined
  if (bucket === 'year') return year
  if (bucket === 'quarter') return `${year}-Q${Math.ceil(Number(month) / 3)}`
  if (bucket === 'month') return `${year}-${month}`
  if (bucket === 'week') return mondayOf(`${year}-${month}-${day}`)
  if (bucket === 'weekday') return weekdays[weekdayOf(`${year}-${month}-${day}`) - 1]
  if (bucket === 'hour_of_day') return hour === undefined ? undefined : `${hour}:00`
  return bucket === 'day' ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${hour ?? '00'}`
}

/** Days of a week by their number in ISO 8601, less 1. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
type Weekday = (typeof weekdays)[number]

/** Returns the number of a day in its week, from 1 for Monday; NaN for what is no day. */
const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

/** Times that come again: on some days of the week, and from one hour of the day until before another. */
export interface RecurringTimes {
  field: string
  weekdays?: readonly Weekday[] | undefined
  from_hour?: number | undefined
  until_hour?: number | undefined
}

/** Returns true for a time in ISO 8601 that is among these. A day without a time is at no hour. */
export function isRecurring(
  value: unknown,
  { weekdays: days, from_hour: from, until_hour: until }: RecurringTimes,
): boolean {
  const day = bucketOf(value, 'weekday')
  if (day === undefined || (days !== undefined && !days.some((name) => name === day))) return false
  if (from === undefined && until === undefined) return true
  const hour = Number(bucketOf(value, 'hour_of_day')?.slice(0, 2))
  return hour >= (from ?? 0) && hour < (until ?? 24)
}

/** Converts times in UTC to those of a time zone, as `2026-03-05T09:30:00`; anything else stays as it is. */
export type LocalTimes = (value: unknown) => unknown

/** @param timezone IANA name */
export function createLocalTimes(timezone: string): LocalTimes {
  const format = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  return (value) => {
    const isInstant = typeof value === 'string' && /T.*Z$/.test(value)
    const instant = isInstant ? Date.parse(value) : Number.NaN
    return Number.isNaN(instant) ? value : format.format(instant).replace(' ', 'T')
  }
}

function mondayOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
