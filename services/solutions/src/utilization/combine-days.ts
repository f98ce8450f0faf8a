import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { WeekRow } from '../store/utilization.ts'
import type { ShownDay } from './shown-day.ts'

export type Row = z.input<typeof solutions.getUtilization.list>

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

/**
 * Combines days into one row: levels over their open hours, attendance as the mean by day.
 * @param peaksOf returns the peaks of which `p90` is one
 */
export function combine(subject: Subject, days: readonly ShownDay[], peaksOf: PeaksOf = dailyPeaksOf): Row {
  const shown = days.filter(({ isSuppressed }) => !isSuppressed)
  // Of a space that is open, hours outside do not stand for open ones that are withheld.
  const isOpen = shown.some((day) => day.isOpen)
  const attendances = shown.flatMap(({ attendance }) => attendance ?? [])
  const dailyPeaks = dailyPeaksOf(shown)
  const attendance = mean(attendances)
  const hoursOf = ({ levels }: ShownDay) => (isOpen ? levels.open : levels.all)
  const measured = shown.filter((day) => hoursOf(day).hours > 0)
  const withheld = shown.filter((day) => day.hasSuppressedHours && day.isOpen === isOpen && hoursOf(day).hours === 0)
  // As of days, the few whose levels are shown are the full ones.
  const hasLevels = measured.length >= leastShownShare * (measured.length + withheld.length)
  const known = hasLevels ? knownLevel(shown.some(({ hasSuppressedHours }) => hasSuppressedHours)) : () => null
  const average = known(meanLevel(shown.map(hoursOf)))
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
    sharing_ratio: headcount === null || !desks || !hasLevels ? null : round(headcount / desks),
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
export const knownLevel =
  (hasWithheldHours: boolean) =>
  (level: number | null): number | null =>
    level === 0 && hasWithheldHours ? null : level

export const leastShownShare = 0.5
export const withheldFigures = {
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

export function coverageOf(subject: Subject, days: readonly ShownDay[]): number | null {
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
export const hourlyPeaks: PeaksOf = (days, onlyOpen) =>
  days.flatMap((day) =>
    day.hours().flatMap(({ level, isOpen }) => (level !== null && (isOpen || !onlyOpen) ? [level.peak] : [])),
  )

export const highest = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values))

export const lastOf = <Value>(days: readonly ShownDay[], of: (day: ShownDay) => Value | null): Value | null =>
  days.map(of).findLast((value) => value !== null) ?? null

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the smallest value that the share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

export const shareOf = (value: number | null, of: number | null): number | null =>
  value === null || !of ? null : round(value / of)

export const round = (value: number): number => Math.round(value * 10_000) / 10_000
