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

/**
 * Returns the warning that a space shows clearly fewer people in an hour than a space in it, which another measure
 * tells; of bookings, who came is not known.
 */
export function partWarnings(whole: NamedDays, parts: readonly NamedDays[]): string[] {
  const [lowest, ...others] = parts.flatMap((part) => {
    const around = new Map(whole.days.map((shown) => [shown.day, shown]))
    const lower = part.days.flatMap((own) => {
      const outer = around.get(own.day)
      const outerHours = outer?.hours() ?? []
      const pairs = own.hours().map(({ level }, hour) => [level?.peak, outerHours[hour]?.level?.peak] as const)
      const below = pairs.flatMap(([more = 0, less = more]) => (less < leastShare * more ? { more, less } : []))
      const [most] = below.toSorted((a, b) => b.more - b.less - (a.more - a.less))
      if (most === undefined || own.source === 'bookings') return []
      return { ...most, day: own.day, sources: [outer?.source, own.source] }
    })
    const [most] = lower.toSorted((a, b) => b.more - b.less - (a.more - a.less))
    if (most === undefined) return []
    const [source, partSource] = most.sources.map((one) => sourceWords[one ?? 'none'])
    const on = `in an hour of ${lower.length === 1 ? most.day : `${lower.length} days, most of all of ${most.day}`}`
    return `${whole.name} shows fewer people than ${part.name} in it ${on} (${most.less} and ${most.more}): its figures come from ${source}, those of ${part.name} from ${partSource}. They are too low by those whom only ${partSource} saw.`
  })
  if (lowest === undefined) return []
  return [others.length === 0 ? lowest : `${lowest} The same is true beside ${others.length} more in it.`]
}
/** A space shows fewer people than a part of it if it shows less than this share of them. */
const leastShare = 0.9

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
