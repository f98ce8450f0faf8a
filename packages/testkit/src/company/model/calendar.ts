import Holidays from 'date-holidays'
import type { Organization, Site, Space } from './company.ts'

const dayMs = 86_400_000

/** Returns the days from 1970-01-01 to a date `yyyy-mm-dd`. */
export const epochDayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

/** Returns the date of a day of the company, `yyyy-mm-dd`. */
export const dateOf = ({ firstDay }: Pick<Organization, 'firstDay'>, day: number): string =>
  new Date((firstDay + day) * dayMs).toISOString().slice(0, 10)

/** Returns the weekday of a day of the company: 0 for Monday to 6 for Sunday. */
export const weekdayOf = ({ firstDay }: Pick<Organization, 'firstDay'>, day: number): number => (firstDay + day + 3) % 7

/** Returns the first day from `monthDay`, such as `08-01`, on that weekday; undefined if it is not in the period. */
export function findDay(period: Pick<Organization, 'firstDay' | 'days'>, monthDay: string, weekday: number) {
  for (let day = 0; day < period.days; day += 1) {
    if (dateOf(period, day).slice(5) !== monthDay) continue
    const found = day + ((weekday - weekdayOf(period, day) + 7) % 7)
    return found < period.days ? found : undefined
  }
  return undefined
}

/** Returns the public holidays of the site of each space, as days of the company. */
export function findHolidays(
  { firstDay, days }: Pick<Organization, 'firstDay' | 'days'>,
  spaces: readonly Space[],
): ReadonlySet<number>[] {
  const found: ReadonlySet<number>[] = []
  for (const { site, parent } of spaces)
    found.push(site === undefined ? (found[parent] ?? new Set()) : new Set(holidaysOf(site, firstDay, days)))
  return found
}

function* holidaysOf({ country, subdivision }: Site, firstDay: number, days: number): Generator<number> {
  const calendar = new Holidays(country, subdivision, { types: ['public'] })
  const years = [0, days - 1].map((day) => Number(dateOf({ firstDay }, day).slice(0, 4)))
  for (let year = years[0] ?? 0; year <= (years[1] ?? 0); year += 1)
    for (const { date } of calendar.getHolidays(year)) {
      const day = epochDayOf(date.slice(0, 10)) - firstDay
      if (day >= 0 && day < days) yield day
    }
}

/** The days around the end of the year on which few people come. */
const isLull = (monthDay: string) => monthDay >= '12-22' || monthDay <= '01-05'

/** The share of the usual attendance on each day of the year: less in the school holidays, little at Christmas. */
export function seasonOf({ schoolHolidays: [first, last] }: Site, date: string): number {
  const monthDay = date.slice(5)
  if (isLull(monthDay)) return 0.15
  return monthDay >= first && monthDay <= last ? 0.72 : 1
}
