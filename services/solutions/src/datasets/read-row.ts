import type { DatasetKind } from '@wp/contracts'
import { isNoShowName, placeOfStatus, wordsOf } from '@wp/tabular'
import { readDurationMinutes, readTimeOfDay } from '../runs/series/time-of-day.ts'
import { pathSeparator } from '../workplace/match-values.ts'
import {
  isOpenEnd,
  type LocalMoment,
  readActive,
  readCancelled,
  readCheckIn,
  readCount,
  readDay,
  readDirection,
  readMoment,
  readName,
  readNoShow,
  readPerson,
  type ZoneOffset,
} from './read-cells.ts'

/** The kinds of datasets whose rows are counted; rows of `spaces` make spaces. */
export type CountedKind = Exclude<DatasetKind, 'spaces'>

/** A fact of a row, whose names are not numbered yet. */
export interface RowFact {
  /** Days since 1970; 0 for rows of people, which belong to no day. */
  day: number
  person: string | undefined
  space: string | undefined
  team: string | undefined
  /** The columns of the kind; see `factColumns`. */
  numbers: number[]
  isInstant: boolean
}

/** Why a row cannot be used, with the text of a cell that names no person. */
export interface UnusedRow {
  reason: string
  example: string | null
}

/** The cells of a row by role. */
export type Cells = Readonly<Record<string, unknown>>

/**
 * Creates the reader of rows of a kind of dataset. A row is one fact; a booking is one for each local day that it
 * covers. Longer than most functions: it has one reader for each kind of dataset.
 *
 * @param zoneOf returns the time zone of a value of the column of spaces
 * @param mapping the columns by role: that of durations may state their unit, minutes by default
 */
export function createRowReader(
  kind: CountedKind,
  zoneOf: (space: string | undefined) => ZoneOffset,
  { duration = '', checked_in: checkedIn = '' }: Readonly<Record<string, string | undefined>> = {},
): (cells: Cells) => RowFact[] | UnusedRow {
  const isHours = wordsOf(duration).some((word) => hourWord.test(word))
  const useOf = createUseReader(isNoShowName(checkedIn))
  const readers: Record<CountedKind, (cells: Cells) => RowFact[] | UnusedRow> = {
    badge_events(cells) {
      const names = readNames(cells, ['person', 'space'])
      if ('reason' in names) return names
      const moment = readTime(cells, 'time', zoneOf(names.space))
      if ('reason' in moment) return moment
      // Beside readers by direction, such as `Door 2 OUT`, others are of both.
      const direction = readDirection(cells.direction) ?? (cells.direction === cells.space ? 0 : undefined)
      if (direction === undefined) return unused('direction_unknown', cells.direction)
      return [factOf(names, moment, [moment.second, direction])]
    },
    attendance_days(cells) {
      // Who worked at home has no space.
      const absence = Object.hasOwn(cells, 'status') ? readAbsence(cells.status) : undefined
      if (absence !== undefined) return absence
      const names = readNames(cells, ['person', 'space'])
      if ('reason' in names) return names
      const moment = readDay(cells.date, zoneOf(names.space))
      return moment === undefined ? unusedTime('date', cells.date) : [factOf(names, moment, [])]
    },
    bookings(cells) {
      const names = readNames(cells, ['space'])
      if ('reason' in names) return names
      const zone = zoneOf(names.space)
      const start = readTime(cells, 'start', zone)
      if ('reason' in start) return start
      const end = readEnd(cells, start, { zone, isHours })
      if ('reason' in end) return end
      const minutes = (end.day - start.day) * minutesPerDay + end.minute
      if (minutes < start.minute) return unused('end_before_start', cells.end)
      if (minutes - start.minute > maxBookingMinutes) return unused('booking_too_long', cells.end)
      const attendees = readCount(cells.attendees)
      if (attendees === 'unreadable') return unused('attendees_unreadable', cells.attendees)
      const isCancelled = readCancelled(cells.cancelled)
      if (isCancelled === undefined) return unused('cancelled_unreadable', cells.cancelled)
      const used = useOf(cells)
      if (typeof used === 'object') return used
      const people = attendees === 'empty' ? -1 : attendees
      return daysOf(start.minute, minutes).map(({ after, from, to }) => ({
        ...names,
        day: start.day + after,
        isInstant: start.isInstant || end.isInstant,
        numbers: [from, to, people, used, Number(isCancelled)],
      }))
    },
    counts(cells) {
      const names = readNames(cells, ['space'])
      if ('reason' in names) return names
      const moment = readTime(cells, 'time', zoneOf(names.space))
      if ('reason' in moment) return moment
      const numbers = [moment.minute]
      for (const role of ['value', 'in', 'out']) {
        const count = readCount(cells[role])
        // A camera that is off writes -1.
        if (count === 'unreadable') return unused('value_unreadable', cells[role])
        numbers.push(count === 'empty' ? -1 : count)
      }
      return numbers.slice(1).every((number) => number < 0)
        ? unused('value_missing', null)
        : [factOf(names, moment, numbers)]
    },
    people(cells) {
      const names = readNames(cells, ['person', 'team'])
      if ('reason' in names) return names
      const isActive = readActive(cells.active)
      if (isActive !== true) return unused(isActive === false ? 'not_active' : 'active_unreadable', cells.active)
      const bounds: number[] = []
      for (const role of ['from', 'until']) {
        const cell = cells[role]
        const moment = readDay(cell, zoneOf(undefined))
        const isOpen = cell === null || cell === undefined || cell === '' || (role === 'until' && isOpenEnd(cell))
        if (moment === undefined && !isOpen) return unusedTime(role, cell)
        bounds.push(moment?.day ?? -1)
      }
      const [from = -1, until = -1] = bounds
      if (from >= 0 && until >= 0 && until < from) return unused('until_before_from', cells.until)
      return [{ ...names, day: 0, numbers: [from, until], isInstant: false }]
    },
  }
  return readers[kind]
}

const hourWord = /^(?:h|hrs?|hours?|std|stunden?|heures?|ore|horas?|uren)$/
const minutesPerDay = 1_440
const secondMs = 1_000

/** Reads a time, or, with a column of days, a time of day. */
function readTime(cells: Cells, role: string, zone: ZoneOffset): LocalMoment | UnusedRow {
  const cell = cells[role]
  if (!Object.hasOwn(cells, 'date')) return readMoment(cell, zone) ?? unusedTime(role, cell)
  const date = readDay(cells.date, zone)
  if (date === undefined) return unusedTime('date', cells.date)
  const ms = readTimeOfDay(cell)
  if (ms === undefined) return unusedTime(role, cell)
  const second = Math.floor(ms / secondMs)
  return momentAt(date.day, second, false)
}

/** Seconds may exceed a day. */
function momentAt(day: number, seconds: number, isInstant: boolean): LocalMoment {
  const [after, second] = [Math.floor(seconds / secondsPerDay), seconds % secondsPerDay]
  return { day: day + after, second, minute: Math.floor(second / 60), isInstant }
}
const secondsPerDay = 86_400

/** Reads the end of a booking, or its duration. An end without a day that is before the start is on the next day. */
function readEnd(
  cells: Cells,
  start: LocalMoment,
  { zone, isHours }: { zone: ZoneOffset; isHours: boolean },
): LocalMoment | UnusedRow {
  if (!Object.hasOwn(cells, 'end')) {
    const minutes = readDurationMinutes(cells.duration, isHours)
    if (minutes === undefined) return unusedTime('duration', cells.duration)
    return momentAt(start.day, start.second + minutes * 60, start.isInstant)
  }
  const hasDay = Object.hasOwn(cells, 'end_date')
  const end = readTime(hasDay ? { ...cells, date: cells.end_date } : cells, 'end', zone)
  const isOvernight =
    Object.hasOwn(cells, 'date') && !hasDay && 'day' in end && end.day === start.day && end.second < start.second
  return isOvernight ? { ...end, day: end.day + 1 } : end
}

/**
 * Creates the reader of the use of a booking: 1 for used, 0 for not used, -1 for not known, as of one that a column of
 * states names neither a no-show nor checked in.
 *
 * @param isInverse true if yes in the column of check-ins says that a booking was not used
 */
const createUseReader =
  (isInverse: boolean) =>
  (cells: Cells): number | UnusedRow => {
    const role = isInverse ? 'checked_in' : 'no_show'
    const isUsed = isInverse || !Object.hasOwn(cells, 'checked_in') ? 'unstated' : readCheckIn(cells.checked_in)
    const isMissed = Object.hasOwn(cells, role) ? readNoShow(cells[role]) : 'unstated'
    if (isUsed === undefined) return unused('checked_in_unreadable', cells.checked_in)
    if (isMissed === undefined) return unused(`${role}_unreadable`, cells[role])
    if (isUsed === 'unstated') return isMissed === 'unstated' ? -1 : Number(!isMissed)
    return isMissed === 'unstated' || isUsed !== isMissed ? Number(isUsed) : -1
  }

/** Returns why a day is none at the office; undefined for one there. */
function readAbsence(cell: unknown): UnusedRow | undefined {
  if (cell === null || cell === undefined || cell === '') return unused('status_missing', null)
  // Hours there.
  const place = typeof cell === 'number' ? (cell > 0 ? 'office' : 'away') : placeOfStatus(String(cell))
  if (place === 'office') return undefined
  return place === undefined
    ? unused('status_unknown', cell)
    : unused(place === 'home' ? 'worked_at_home' : 'absent', null)
}
/** A booking of more than a month is a slip of the keyboard, and one row must not make facts without end. */
const maxBookingMinutes = 31 * minutesPerDay

/**
 * Returns the days of a booking with its minutes on each, after the day on which it begins. One that ends at midnight
 * does not reach the next day, and one without length has its first.
 */
function daysOf(start: number, end: number): { after: number; from: number; to: number }[] {
  return Array.from({ length: Math.max(1, Math.ceil(end / minutesPerDay)) }, (_, after) => ({
    after,
    from: Math.max(0, start - after * minutesPerDay),
    to: Math.min(minutesPerDay, end - after * minutesPerDay),
  }))
}

type Names = Pick<RowFact, 'person' | 'space' | 'team'>

function readNames(cells: Cells, required: readonly (keyof Names)[]): Names | UnusedRow {
  const names: Names = { person: readPerson(cells.person), space: readSpaceName(cells), team: readName(cells.team) }
  const missing = required.find((role) => names[role] === undefined)
  return missing === undefined ? names : { reason: `${missing}_missing`, example: null }
}

/** Returns the name of the space of a row, after that of its building where the file has one: `North / Floor 1`. */
function readSpaceName({ space, building }: Cells): string | undefined {
  const [name, around] = [readName(space), readName(building)]
  return name === undefined || around === undefined ? name : `${around}${pathSeparator}${name}`
}

const factOf = (names: Names, { day, isInstant }: LocalMoment, numbers: number[]): RowFact => ({
  ...names,
  day,
  numbers,
  isInstant,
})

const unusedTime = (role: string, cell: unknown): UnusedRow =>
  cell === null || cell === undefined || cell === ''
    ? unused(`${role}_missing`, null)
    : unused(`${role}_unreadable`, cell)

const unused = (reason: string, cell: unknown): UnusedRow => ({
  reason,
  example: cell === null || cell === undefined ? null : String(cell).slice(0, 80),
})
