import { peopleSubjects } from '../store/figures.ts'
import type { WeekRow } from '../store/utilization.ts'
import type { Row, Subject } from './combine-days.ts'

/** Returns the warning that more people of a team came than it has members, so that its share exceeds 1. */
export function headcountWarning({ days }: Pick<Subject, 'days'>, name: string): string[] {
  const above = days.filter(
    ({ attendance, headcount }) => attendance !== null && headcount !== null && attendance > headcount,
  )
  const [first] = above.toSorted((a, b) => (b.attendance ?? 0) - (a.attendance ?? 0))
  if (first === undefined) return []
  const on = above.length === 1 ? `on ${first.day}` : `on ${above.length} days, at most on ${first.day}`
  return [
    `More people of ${name} came than it has members ${on} (${first.attendance} of ${first.headcount}): its headcount is out of date, and its share and sharing ratio are wrong.`,
  ]
}

/** A space with the days of it that are shown. */
type NamedDays = Pick<Subject, 'days'> & { name: string }

/** Returns the notice that levels of a space without counters of its own include those of the counters in it. */
export function partNotices(whole: NamedDays, parts: readonly NamedDays[]): string[] {
  const sources = new Map(whole.days.map(({ day, source }) => [day, source]))
  const isAdded = ({ day, source }: NamedDays['days'][number]) =>
    source === 'counts' && (sources.get(day) ?? 'counts') !== 'counts'
  const counted = parts.filter(({ days }) => days.some(isAdded))
  const days = [...new Set(counted.flatMap((part) => part.days.filter(isAdded).map(({ day }) => day)))].toSorted()
  const [[first = ''], named] = [days, counted.slice(0, 3).map(({ name }) => name)]
  if (days.length === 0) return []
  const used = [...new Set(days.map((day) => sourceWords[sources.get(day) ?? 'none']))].join(' and ')
  const others = counted.length > 3 ? ` and ${counted.length - 3} more` : ''
  const on = days.length === 1 ? `On ${first}` : `On ${days.length} days`
  return [
    `${on}, the levels of ${whole.name} are those of ${used} or, where it is higher, the sum of its parts with the people counters of ${named.join(', ')}${others}: those who swiped or booked elsewhere and went there count twice.`,
  ]
}

const sourceWords: Record<NonNullable<Row['source']> | 'none', string> = {
  counts: 'people counters',
  badge_events: 'badge events',
  attendance_days: 'attendance days',
  bookings: 'bookings',
  none: 'no measure',
}

/**
 * Returns the warning that people were counted whom no list of people has, so that they are in no team. It states no
 * count or share, which with those of the shown teams would tell a withheld count. Fewer people of a week in no list
 * than the threshold do not count for it, nor does a week of less than twice as many people: those in a list, or those
 * in none, are fewer.
 *
 * @param weeks all counted ones, so that no choice of days tells more
 */
export function noListWarning(weeks: readonly WeekRow[], threshold: number): string[] {
  let [all, inNoList] = [0, 0]
  for (const rows of Map.groupBy(weeks, ({ week }) => week).values()) {
    const of = (subject: string) => rows.find((row) => row.subject === subject)?.attendance ?? 0
    if (of(peopleSubjects.all) < 2 * threshold) continue
    all += of(peopleSubjects.all)
    if (of(peopleSubjects.inNoList) >= threshold) inNoList += of(peopleSubjects.inNoList)
  }
  if (inNoList === 0 || 10 * inNoList < leastTenthsInNoList * all) return []
  return [
    'Of the people who were counted in all weeks, 3 in 10 or more are in no list of people on the day, and in no team. Lists and badges may name the same person in two ways, such as a number, a mail address or a name. In the dataset of people, map `person` to the column by which the other files name them.',
  ]
}
const leastTenthsInNoList = 3
