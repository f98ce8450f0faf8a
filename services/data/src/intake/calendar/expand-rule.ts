import type ICAL from 'ical.js'

type Recur = InstanceType<typeof ICAL.Recur>

/** Counts the days that rules are compared with; shared by the rules of a file. */
export interface DayBudget {
  days: number
}

const dayMs = 86_400_000
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Thrown when an event, a rule or a time zone of a calendar cannot be read; the message is the reason. */
export class CalendarFault extends Error {}

/** More days would be centuries of one series. */
const maxDays = 200_000

/** The range of the local times of a rule. */
export interface RuleRange {
  startMs: number
  endMs: number
  /** Earlier years of a yearly rule may be left out. */
  fromMs?: number
}

/**
 * Yields the local times of a rule (RFC 5545, section 3.3.10) in order, as milliseconds of the same clock reading in
 * UTC, and `undefined` after a period without any. The days of each period are compared with the parts of the rule,
 * so the work is bounded by the days up to `endMs`. The iterator of ical.js is not used: it does not end for rules that
 * no day fulfils, and its results differ for unsorted lists, BYSETPOS, BYWEEKNO and days counted from the end.
 * @throws CalendarFault
 */
export function* expandRule(
  rule: Recur,
  { startMs, endMs, fromMs = startMs }: RuleRange,
  budget: DayBudget,
): Generator<number | undefined> {
  const { freq, interval } = rule
  const skippedYears = freq === 'YEARLY' ? yearOf(fromMs) - yearOf(startMs) : 0
  const matches = createDayFilter(rule, new Date(startMs))
  const times = timesOfDay(rule, startMs)
  const setPositions = numbersOf(rule, 'BYSETPOS')
  let days = 0
  for (let index = Math.max(0, Math.floor(skippedYears / interval)); ; index++) {
    const [from, to] = periodOf(freq, startMs, index * interval, rule.wkst)
    if (!(from <= endMs)) return
    const found: number[] = []
    for (let day = from; day < to; day += dayMs)
      if (matches(new Date(day))) for (const time of times) found.push(day + time)
    days += (to - from) / dayMs
    budget.days += (to - from) / dayMs
    if (days > maxDays) throw new CalendarFault('RRULE covers too many years')
    let isEmpty = true
    for (const time of selectPositions(found, setPositions))
      if (time >= startMs && time <= endMs) {
        isEmpty = false
        yield time
      }
    if (isEmpty) yield undefined
  }
}

const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

/** Returns the first day of a period and the one after its last. */
function periodOf(freq: string, startMs: number, count: number, wkst: number): [number, number] {
  const start = new Date(startMs)
  const [year, month, date] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  if (freq === 'YEARLY') return [utcDay(year + count, 0, 1), utcDay(year + count + 1, 0, 1)]
  if (freq === 'MONTHLY') return [utcDay(year, month + count, 1), utcDay(year, month + count + 1, 1)]
  const today = utcDay(year, month, date)
  if (freq === 'DAILY') return [today + count * dayMs, today + (count + 1) * dayMs]
  // Days of the week count from 1, Sunday, in rules.
  const monday = today - ((start.getUTCDay() - (wkst - 1) + 7) % 7) * dayMs
  return [monday + count * 7 * dayMs, monday + (count + 1) * 7 * dayMs]
}

/** Date.UTC reads the years 0 to 99 as those of the last century. */
function utcDay(year: number, month: number, day: number): number {
  const date = new Date(0)
  return date.setUTCFullYear(year, month, day)
}

/** Returns the function that compares a day with the parts of a rule. */
function createDayFilter(rule: Recur, start: Date): (day: Date) => boolean {
  const { freq, wkst } = rule
  const months = numbersOf(rule, 'BYMONTH')
  const weeks = numbersOf(rule, 'BYWEEKNO')
  const yearDays = numbersOf(rule, 'BYYEARDAY')
  const monthDays = numbersOf(rule, 'BYMONTHDAY')
  const byDay = partOf(rule, 'BYDAY').map(parseDay)
  if (weeks.length + yearDays.length + monthDays.length + byDay.length === 0) {
    if (freq === 'YEARLY' && months.length === 0) months.push(start.getUTCMonth() + 1)
    if (freq === 'YEARLY' || freq === 'MONTHLY') monthDays.push(start.getUTCDate())
    if (freq === 'WEEKLY') byDay.push({ ordinal: 0, weekday: start.getUTCDay() })
  }
  const isOfMonth = freq === 'MONTHLY' || months.length > 0
  return (day) => {
    const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()]
    if (months.length > 0 && !months.includes(month + 1)) return false
    if (monthDays.length > 0 && !includesPosition(monthDays, date, () => daysOfMonth(year, month))) return false
    const ofYear = () => (day.getTime() - utcDay(year, 0, 1)) / dayMs + 1
    if (yearDays.length > 0 && !includesPosition(yearDays, ofYear(), () => daysOfYear(year))) return false
    if (weeks.length > 0 && !isInWeek(day, weeks, wkst)) return false
    if (byDay.length === 0) return true
    const [position, length] = isOfMonth ? [date, daysOfMonth(year, month)] : [ofYear(), daysOfYear(year)]
    return byDay.some(({ ordinal, weekday }) => {
      if (weekday !== day.getUTCDay()) return false
      if (ordinal === 0) return true
      return ordinal > 0 ? Math.ceil(position / 7) === ordinal : Math.ceil((length - position + 1) / 7) === -ordinal
    })
  }
}

/** Returns true if a position counts from the beginning or the end of a period. */
const includesPosition = (numbers: readonly number[], position: number, length: () => number): boolean =>
  numbers.includes(position) || (numbers.some((number) => number < 0) && numbers.includes(position - length() - 1))

const daysOfMonth = (year: number, month: number): number =>
  (utcDay(year, month + 1, 1) - utcDay(year, month, 1)) / dayMs
const daysOfYear = (year: number): number => (utcDay(year + 1, 0, 1) - utcDay(year, 0, 1)) / dayMs

/** Returns true if a day is in one of the weeks (ISO 8601, with any first day of the week). */
function isInWeek(day: Date, weeks: readonly number[], wkst: number): boolean {
  const time = day.getTime()
  let year = day.getUTCFullYear()
  // The first and last days of a year may be in weeks of the years beside it.
  if (time < firstWeek(year, wkst)) year--
  else if (time >= firstWeek(year + 1, wkst)) year++
  const first = firstWeek(year, wkst)
  const number = Math.floor((time - first) / (7 * dayMs)) + 1
  const count = Math.round((firstWeek(year + 1, wkst) - first) / (7 * dayMs))
  return weeks.includes(number) || weeks.includes(number - count - 1)
}

/** Returns the first day of the week that has four days of the year or more. */
function firstWeek(year: number, wkst: number): number {
  const fourth = utcDay(year, 0, 4)
  return fourth - ((new Date(fourth).getUTCDay() - (wkst - 1) + 7) % 7) * dayMs
}

function parseDay(text: string): { ordinal: number; weekday: number } {
  return { ordinal: Number(text.slice(0, -2) || 0), weekday: weekdays.indexOf(text.slice(-2)) }
}

/** Returns the times of a day, in milliseconds. */
function timesOfDay(rule: Recur, startMs: number): number[] {
  const start = new Date(startMs)
  const or = (part: string, value: number) => {
    const numbers = numbersOf(rule, part)
    return numbers.length === 0 ? [value] : numbers
  }
  const times = or('BYHOUR', start.getUTCHours()).flatMap((hour) =>
    or('BYMINUTE', start.getUTCMinutes()).flatMap((minute) =>
      or('BYSECOND', start.getUTCSeconds()).map((second) => ((hour * 60 + minute) * 60 + second) * 1_000),
    ),
  )
  return times.sort((one, other) => one - other)
}

function selectPositions(times: readonly number[], positions: readonly number[]): readonly number[] {
  if (positions.length === 0) return times
  return times.filter((_, at) => positions.includes(at + 1) || positions.includes(at - times.length))
}

const partOf = (rule: Recur, name: string): string[] => rule.getComponent(name).map(String)
const numbersOf = (rule: Recur, name: string): number[] => partOf(rule, name).map(Number)

const dayFrequencies = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])

/** Refuses rules that are not read. @throws CalendarFault */
export function checkRule(rule: Recur): void {
  if (!rule.freq) throw new CalendarFault('RRULE has no FREQ')
  if (!dayFrequencies.has(rule.freq))
    throw new CalendarFault(`RRULE repeats within a day (${rule.freq}), which is not read`)
  const ordinals = partOf(rule, 'BYDAY').some((text) => text.length > 2)
  if (ordinals && (rule.freq === 'DAILY' || rule.freq === 'WEEKLY' || partOf(rule, 'BYWEEKNO').length > 0))
    throw new CalendarFault('RRULE numbers days of the week, which only monthly and yearly rules may')
  const times = timesOfDay(rule, 0).length
  if (times > 288) throw new CalendarFault('RRULE has more than 288 times a day')
  if (!(rule.interval >= 1)) throw new CalendarFault('RRULE has an INTERVAL that is no number')
}
