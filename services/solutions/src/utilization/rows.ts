import { type solutions, weekdays } from '@wp/contracts'
import type { z } from 'zod'
import { dayOf, mondayOf, weekdayOf } from '../workplace/local-days.ts'
import {
  combine,
  coverageOf,
  highest,
  hourlyPeaks,
  knownLevel,
  lastOf,
  leastShownShare,
  mean,
  quantile,
  type Row,
  round,
  type Subject,
  shareOf,
  withheldFigures,
} from './combine-days.ts'
import type { ShownDay } from './shown-day.ts'

type Interval = z.output<typeof solutions.getUtilization.query>['interval']

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

const notOfHours = { headcount: null, sharing_ratio: null, co_attendance: null }

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
      ...notOfHours,
      source: day.source,
      attendance_source: day.attendanceSource,
      coverage: subject.coverageOn(day),
      suppressed: isSuppressed,
    }),
  )

/** Combines the same hour of some days into a row each. */
function weekdayHourRows(subject: Subject, days: readonly ShownDay[]): Row[] {
  const measured = days.map((day) => ({ day, hours: day.hours() })).filter(({ hours }) => hours.length > 0)
  const measuredDays = measured.map(({ day }) => day)
  const coverage = coverageOf(subject, measuredDays)
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
      ...notOfHours,
      source: lastOf(days, ({ source }) => source),
      attendance_source: lastOf(days, ({ attendanceSource }) => attendanceSource),
      coverage,
      days: cells.length,
      days_shown: shown.length,
      suppressed: shown.length < cells.length,
    }
    return shown.length < leastShownShare * cells.length ? { ...row, ...withheldFigures } : row
  })
}

const hoursOfDay = 24
