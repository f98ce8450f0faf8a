import { peopleSubjects } from '../store/figures.ts'
import type { WeekRow } from '../store/utilization.ts'
import { listNames } from '../workplace/tree.ts'
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

/** Returns the notice that levels of spaces without counters of their own include those of the counters in them. */
export function raisedNotice(subjects: readonly Pick<Subject, 'days'>[], names: readonly string[]): string[] {
  const raised = subjects.map(({ days }) => days.filter(({ isRaised, levels }) => isRaised && levels.peak !== null))
  const days = [...new Set(raised.flatMap((own) => own.map(({ day }) => day)))].toSorted()
  if (days.length === 0) return []
  const used = [...new Set(raised.flatMap((own) => own.map(({ source }) => sourceWords[source ?? 'none'])))]
  const on = days.length === 1 ? `On ${days[0]}` : `On ${days.length} days`
  const which = listNames(names.filter((_, at) => (raised[at] ?? []).length > 0))
  return [
    `${on}, the levels of ${which} are those of ${used.join(' and ')} or, where it is higher, the sum of the parts, of which some have people counters: those who swiped or booked elsewhere and went there count twice.`,
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
