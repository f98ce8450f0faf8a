import { dateText } from './format-timestamp.ts'

const dayMs = 86_400_000

/** Returns the date of a day of a week of ISO 8601, undefined if the year has no such week. @param day 1 for Monday */
export function dateOfWeek(year: number, week: number, day = 1): string | undefined {
  // 4 January is always in the first week.
  const monday = mondayOf(Date.UTC(year, 0, 4)) + (week - 1) * 7 * dayMs
  if (week < 1 || day < 1 || day > 7 || monday >= mondayOf(Date.UTC(year + 1, 0, 4))) return undefined
  const date = new Date(monday + (day - 1) * dayMs)
  return dateText(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

const mondayOf = (time: number): number => time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs
