import type { Weekday } from '@wp/contracts'

// Not those of the contracts, so that a thread that counts days starts without loading every contract.
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly Weekday[]

const dayMs = 86_400_000

/** Returns a day since 1970 as a date. */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Returns a date as days since 1970. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

/** Returns 0 for a Monday, 6 for a Sunday. Days since 1970 begin with a Thursday. */
export const daysAfterMonday = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Returns the weekday of a day since 1970. */
export const weekdayOf = (day: number): Weekday => weekdays[daysAfterMonday(day)] ?? 'mon'

/** Returns the Monday of the week of a date. */
export const mondayOf = (date: string): string => dateOf(dayOf(date) - daysAfterMonday(dayOf(date)))

/** Widens a range to whole months; `until` is excluded. */
export function monthsAround({ since, until }: { since: string; until: string }): { since: string; until: string } {
  const [year = 0, month = 1, day = 1] = until.split('-').map(Number)
  return { since: `${since.slice(0, 7)}-01`, until: dateOf(Date.UTC(year, day === 1 ? month - 1 : month, 1) / dayMs) }
}
