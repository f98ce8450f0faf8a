import { type Weekday, weekdays as weekdayNames } from '@wp/contracts'
import { addDays, createLocalClock, type LocalClock } from './local-clock.ts'

/** A time of day in a time zone, on every date or on those of some weekdays. */
export interface CalendarRule {
  /** `HH:MM`, 00:00 to 23:59. */
  localTime: string
  /** IANA time zone. */
  timezone: string
  /** At least one; null: all. */
  weekdays: readonly Weekday[] | null
}

/** The run of a local date. */
export interface CalendarRun {
  at: Date
  /** Local date, `YYYY-MM-DD`. */
  date: string
}

/** Two weeks, since a zone may skip the date of one, and the dates before and after. */
const maxDays = 16

/**
 * Returns the first run after an instant. There is one run for each local date: a time that a clock change skips runs
 * at the end of the gap, and of a time that occurs twice only the first counts.
 *
 * @param clock the clock of the rule's zone, to be created once for many calls
 * @throws RangeError if the time zone or the local time is invalid, or there are no weekdays
 */
export const nextRun = (rule: CalendarRule, after: Date, clock = createLocalClock(rule.timezone)): CalendarRun =>
  // The run of the date before is still to come if a gap moves it past midnight.
  findRun(rule, clock, addDays(clock.dateAt(after.getTime()), -1), 1, ({ at }) => at > after)

/** Returns the last run at an instant or before. @throws RangeError as `nextRun` */
export const lastRun = (rule: CalendarRule, until: Date, clock = createLocalClock(rule.timezone)): CalendarRun =>
  // The run of the date after has been if the clock went back past midnight.
  findRun(rule, clock, addDays(clock.dateAt(until.getTime()), 1), -1, ({ at }) => at <= until)

/** Returns the run of a date or, if it has none, the first one after. @throws RangeError as `nextRun` */
export const firstRunFrom = (rule: CalendarRule, date: string, clock = createLocalClock(rule.timezone)): CalendarRun =>
  findRun(rule, clock, date, 1, () => true)

/** Returns the number of dates with a run from one date until before another. */
export function countDates({ weekdays }: Pick<CalendarRule, 'weekdays'>, from: string, before: string): number {
  let count = 0
  for (let date = from; date < before; date = addDays(date, 1)) if (isSelected(weekdays, date)) count += 1
  return count
}

function findRun(
  { localTime, timezone, weekdays }: CalendarRule,
  clock: LocalClock,
  start: string,
  step: 1 | -1,
  matches: (run: CalendarRun) => boolean,
): CalendarRun {
  for (let day = 0; day < maxDays; day += 1) {
    const date = addDays(start, day * step)
    const instantMs = isSelected(weekdays, date) ? clock.instantOf(date, localTime) : undefined
    const run = instantMs === undefined ? undefined : { at: new Date(instantMs), date }
    if (run !== undefined && matches(run)) return run
  }
  throw new RangeError(`no run at ${localTime} in ${timezone} on ${weekdays?.join(', ') ?? 'any weekday'}`)
}

function isSelected(weekdays: CalendarRule['weekdays'], date: string): boolean {
  const weekday = weekdayNames[(new Date(date).getUTCDay() + 6) % 7]
  return weekdays === null || (weekday !== undefined && weekdays.includes(weekday))
}
