import { type solutions, weekdays } from '@wp/contracts'
import type { z } from 'zod'
import { peopleSubjects } from '../store/figures.ts'
import type { WeekRow } from '../store/utilization.ts'
import { dayOf, mondayOf, weekdayOf } from '../workplace/local-days.ts'
import type { ShownDay } from './shown-day.ts'

type Row = z.input<typeof solutions.getUtilization.list>
type Interval = z.output<typeof solutions.getUtilization.query>['interval']

/** The days and weeks of which the rows of one space or team are made. */
export interface Subject {
  id: { space_id: string } | { team_id: string }
  isTeam: boolean
  capacity: number | null
  days: readonly ShownDay[]
  weeks: readonly WeekRow[]
  /** Returns the share of the readers of a day's figures that had data. */
  coverageOn(day: ShownDay): number
}

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
    'Of the people who were counted in all weeks, 3 in 10 or more are in no list of people on the day, and in no team. Lists and badges may name the same person in two ways, such as a number, a mail address or a name. Choose the column of the list with the identification that the other files have.',
  ]
}
const leastTenthsInNoList = 3

/** Returns the rows of a space or team. Everything coarser than a day is made of the days that are shown. */
export function utilizationRows(subject: Subject, interval: Interval): Row[] {
  if (interval === 'hour') return subject.days.flatMap((day) => hourRows(subject, day))
  if (interval === 'day')
    return subject.days.map((day) => ({ ...combine(subject, [day], hourlyPeaks), start: day.day }))
  if (interval === 'week') {
    const byWeek = Map.groupBy(subject.days, ({ day }) => mondayOf(day))
    return [...byWeek].map(([week, days]) => {
      const cell = subject.weeks.find((row) => row.week === week)
      const isSuppressed = cell?.isSuppressed ?? false
      const hasPeople = days.some(({ attendanceSource }) => attendanceSource !== null)
      const attendance = isSuppressed || !hasPeople ? null : (cell?.attendance ?? 0)
      const row = combine(subject, days)
      return { ...row, start: week, attendance, suppressed: isSuppressed || row.suppressed }
    })
  }
  if (interval === 'range') return subject.days.length === 0 ? [] : [combine(subject, subject.days)]
  const byWeekday = Map.groupBy(subject.days, ({ day }) => weekdayOf(dayOf(day)))
  return weekdays.flatMap((weekday) => {
    const days = byWeekday.get(weekday)
    if (days === undefined) return []
    return interval === 'weekday_hour'
      ? weekdayHourRows(subject, days).map((row) => ({ ...row, weekday }))
      : [{ ...combine(subject, days), weekday }]
  })
}

const hourRows = (subject: Subject, day: ShownDay): Row[] =>
  day.hours().map(
    ({ hour, isOpen, attendance, level, isSuppressed }): Row => ({
      ...subject.id,
      start: `${day.day}T${String(hour).padStart(2, '0')}:00`,
      open: isOpen,
      attendance,
      average: level === null ? null : round(level.average),
      peak: level?.peak ?? null,
      p90: null,
      capacity: subject.capacity,
      share: shareOf(level?.average ?? null, subject.capacity),
      headcount: null,
      sharing_ratio: null,
      co_attendance: null,
      source: day.source,
      attendance_source: day.attendanceSource,
      coverage: subject.coverageOn(day),
      suppressed: isSuppressed,
    }),
  )

/** Combines the same hour of some days into a row each. */
function weekdayHourRows(subject: Subject, days: readonly ShownDay[]): Row[] {
  const measured = days.map((day) => ({ day, hours: day.hours() })).filter(({ hours }) => hours.length > 0)
  return Array.from({ length: measured.length === 0 ? 0 : hoursOfDay }, (_, hour): Row => {
    const cells = measured.flatMap(({ hours }) => hours[hour] ?? [])
    const shown = cells.filter(({ isSuppressed }) => !isSuppressed)
    const levels = shown.flatMap(({ level }) => level ?? [])
    const peaks = levels.map(({ peak }) => peak)
    const known = knownLevel(shown.length < cells.length)
    const attendance = mean(shown.flatMap((cell) => cell.attendance ?? []))
    const average = known(mean(levels.map((level) => level.average)))
    const row: Row = {
      ...subject.id,
      hour,
      open: cells.some(({ isOpen }) => isOpen),
      attendance: attendance === null ? null : round(attendance),
      average: average === null ? null : round(average),
      peak: known(highest(peaks)),
      p90: known(quantile(peaks, 0.9)),
      capacity: subject.capacity,
      share: shareOf(average, subject.capacity),
      headcount: null,
      sharing_ratio: null,
      co_attendance: null,
      source: lastOf(days, ({ source }) => source),
      attendance_source: lastOf(days, ({ attendanceSource }) => attendanceSource),
      coverage: coverageOf(
        subject,
        measured.map(({ day }) => day),
      ),
      days: cells.length,
      days_shown: shown.length,
      suppressed: shown.length < cells.length,
    }
    return shown.length < leastShownShare * cells.length ? { ...row, ...withheldFigures } : row
  })
}

const hoursOfDay = 24

/**
 * Combines days into one row: levels over their open hours, attendance as the mean by day.
 * @param peaksOf returns the peaks of which `p90` is one
 */
function combine(subject: Subject, days: readonly ShownDay[], peaksOf: PeaksOf = dailyPeaksOf): Row {
  const shown = days.filter(({ isSuppressed }) => !isSuppressed)
  // Of a space that is open, hours outside do not stand for open ones that are withheld.
  const isOpen = shown.some((day) => day.isOpen)
  const attendances = shown.flatMap(({ attendance }) => attendance ?? [])
  const dailyPeaks = dailyPeaksOf(shown)
  const attendance = mean(attendances)
  const known = knownLevel(shown.some(({ hasSuppressedHours }) => hasSuppressedHours))
  const average = known(meanLevel(shown.map(({ levels }) => (isOpen ? levels.open : levels.all))))
  const headcount = mean(days.flatMap((day) => day.headcount ?? []))
  const desks = quantile(dailyPeaks.length > 0 ? dailyPeaks : attendances, 0.9)
  const row = {
    ...subject.id,
    attendance: attendance === null ? null : round(attendance),
    average: average === null ? null : round(average),
    peak: known(highest(dailyPeaks)),
    p90: dailyPeaks.length > 0 ? known(quantile(peaksOf(shown, isOpen), 0.9)) : quantile(attendances, 0.9),
    capacity: subject.capacity,
    share: subject.isTeam ? shareOf(attendance, headcount) : shareOf(average, subject.capacity),
    headcount: headcount === null ? null : round(headcount),
    sharing_ratio: headcount === null || !desks ? null : round(headcount / desks),
    co_attendance: subject.isTeam ? coAttendance(shown) : null,
    source: lastOf(shown, ({ source }) => source),
    attendance_source: lastOf(shown, ({ attendanceSource }) => attendanceSource),
    coverage: coverageOf(subject, days),
    days: days.length,
    days_shown: shown.length,
    suppressed: days.some(({ isSuppressed, hasSuppressedHours }) => isSuppressed || hasSuppressedHours),
  }
  // The few days that are shown are the full ones: their mean would be too high.
  return shown.length < leastShownShare * days.length ? { ...row, ...withheldFigures } : row
}

/** Returns a function that makes a level of 0 null where hours of people are withheld: the space was not empty. */
const knownLevel =
  (hasWithheldHours: boolean) =>
  (level: number | null): number | null =>
    level === 0 && hasWithheldHours ? null : level

const leastShownShare = 0.5
const withheldFigures = {
  attendance: null,
  average: null,
  peak: null,
  p90: null,
  share: null,
  sharing_ratio: null,
  co_attendance: null,
}

/**
 * Returns the share of the other members that a member meets on a day of attendance, on average: with `a` of `h`
 * members in, each of the `a` meets `a − 1` of `h − 1`.
 */
function coAttendance(days: readonly ShownDay[]): number | null {
  let [met, attended] = [0, 0]
  for (const { attendance, headcount } of days) {
    if (!attendance || headcount === null || headcount < 2) continue
    met += attendance * Math.min(1, (attendance - 1) / (headcount - 1))
    attended += attendance
  }
  return attended === 0 ? null : round(met / attended)
}

function coverageOf(subject: Subject, days: readonly ShownDay[]): number | null {
  const coverage = mean(days.map((day) => subject.coverageOn(day)))
  return coverage === null ? null : round(coverage)
}

/** Returns the mean of all hours of some days. */
function meanLevel(days: readonly { sum: number; hours: number }[]): number | null {
  let [sum, hours] = [0, 0]
  for (const day of days) {
    sum += day.sum
    hours += day.hours
  }
  return hours === 0 ? null : sum / hours
}

type PeaksOf = (days: readonly ShownDay[], onlyOpen: boolean) => number[]

const dailyPeaksOf = (days: readonly ShownDay[]): number[] => days.flatMap(({ levels }) => levels.peak ?? [])

/** Returns the peaks of the hours that are shown, of open ones alone on request. */
const hourlyPeaks: PeaksOf = (days, onlyOpen) =>
  days.flatMap((day) =>
    day.hours().flatMap(({ level, isOpen }) => (level !== null && (isOpen || !onlyOpen) ? [level.peak] : [])),
  )

const highest = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values))

const lastOf = <Value>(days: readonly ShownDay[], of: (day: ShownDay) => Value | null): Value | null =>
  days.map(of).findLast((value) => value !== null) ?? null

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the smallest value that the share of all values does not exceed. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

const shareOf = (value: number | null, of: number | null): number | null =>
  value === null || !of ? null : round(value / of)

const round = (value: number): number => Math.round(value * 10_000) / 10_000
