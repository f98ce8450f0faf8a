import { browserLocale } from '../format/number-signs.ts'

const dayMs = 86_400_000

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Returns the date some days later: `2026-11-30` and 1 give `2026-12-01`. */
export const addDays = (day: string, count: number): string => textOf(timeOf(day) + count * dayMs)

/** Returns the same day some months later, or the last day of a month that is shorter. */
export function addMonths(day: string, count: number): string {
  const at = new Date(timeOf(day))
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count, 1)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count + 1, 0)).getUTCDate()
  return textOf(first + (Math.min(at.getUTCDate(), last) - 1) * dayMs)
}

/** Returns the weeks of the month of a day, each of 7 dates. @param firstWeekday 1 for Monday to 7 for Sunday */
export function weeksOfMonth(day: string, firstWeekday: number): string[][] {
  const first = `${day.slice(0, 8)}01`
  const weekday = new Date(timeOf(first)).getUTCDay() || 7
  const start = addDays(first, -((weekday - firstWeekday + 7) % 7))
  const weeks: string[][] = []
  for (let week = start; week.slice(0, 7) <= first.slice(0, 7); week = addDays(week, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(week, index)))
  return weeks
}

/** Returns a day that is not outside of the limits, which are optional. */
export const clampDay = (day: string, min: string | undefined, max: string | undefined): string =>
  min !== undefined && day < min ? min : max !== undefined && day > max ? max : day

/**
 * Returns the day to which a key moves from another in a calendar: arrows by days and weeks, Home and End within the
 * week, Page Up and Page Down by months, with Shift by years. @returns undefined for other keys
 */
export function dayAfterKey(
  day: string,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  firstWeekday: number,
): string | undefined {
  const inWeek = ((new Date(timeOf(day)).getUTCDay() || 7) - firstWeekday + 7) % 7
  const months = shiftKey ? 12 : 1
  const moves: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => addDays(day, -inWeek),
    End: () => addDays(day, 6 - inWeek),
    PageUp: () => addMonths(day, -months),
    PageDown: () => addMonths(day, months),
  }
  return moves[key]?.()
}

/** Returns the first day of the week in a locale: 1 for Monday to 7 for Sunday. */
export function firstWeekdayOf(locale: string | undefined): number {
  // `getWeekInfo` is newer than the types; browsers without it get Monday, as ISO 8601 has it.
  const info: object = new Intl.Locale(locale ?? browserLocale())
  const week: unknown = 'getWeekInfo' in info && typeof info.getWeekInfo === 'function' ? info.getWeekInfo() : undefined
  return typeof week === 'object' && week !== null && 'firstDay' in week ? Number(week.firstDay) : 1
}
