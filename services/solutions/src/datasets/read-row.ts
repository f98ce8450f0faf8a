import type { DatasetKind } from '@wp/contracts'
import {
  isOpenEnd,
  type LocalMoment,
  readCancelled,
  readCheckIn,
  readCount,
  readDay,
  readDirection,
  readMoment,
  readName,
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
 * covers.
 *
 * @param zoneOf returns the time zone of a value of the column of spaces
 */
export function createRowReader(
  kind: CountedKind,
  zoneOf: (space: string | undefined) => ZoneOffset,
): (cells: Cells) => RowFact[] | UnusedRow {
  const readers: Record<CountedKind, (cells: Cells) => RowFact[] | UnusedRow> = {
    badge_events(cells) {
      const names = readNames(cells, ['person', 'space'])
      if ('reason' in names) return names
      const moment = readMoment(cells.time, zoneOf(names.space))
      if (moment === undefined) return unusedTime('time', cells.time)
      const direction = readDirection(cells.direction)
      if (direction === undefined) return unused('direction_unknown', cells.direction)
      return [factOf(names, moment, [moment.second, direction])]
    },
    attendance_days(cells) {
      const names = readNames(cells, ['person', 'space'])
      if ('reason' in names) return names
      const moment = readDay(cells.date, zoneOf(names.space))
      return moment === undefined ? unusedTime('date', cells.date) : [factOf(names, moment, [])]
    },
    bookings(cells) {
      const names = readNames(cells, ['space'])
      if ('reason' in names) return names
      const zone = zoneOf(names.space)
      const [start, end] = [readMoment(cells.start, zone), readMoment(cells.end, zone)]
      if (start === undefined) return unusedTime('start', cells.start)
      if (end === undefined) return unusedTime('end', cells.end)
      const minutes = (end.day - start.day) * minutesPerDay + end.minute
      if (minutes < start.minute) return unused('end_before_start', cells.end)
      if (minutes - start.minute > maxBookingMinutes) return unused('booking_too_long', cells.end)
      const attendees = readCount(cells.attendees)
      if (attendees === 'unreadable') return unused('attendees_unreadable', cells.attendees)
      const [isUsed, isCancelled] = [readCheckIn(cells.checked_in), readCancelled(cells.cancelled)]
      if (isUsed === undefined) return unused('checked_in_unreadable', cells.checked_in)
      if (isCancelled === undefined) return unused('cancelled_unreadable', cells.cancelled)
      const used = Object.hasOwn(cells, 'checked_in') ? Number(isUsed) : -1
      const people = attendees === 'empty' ? -1 : attendees
      return daysOf(start.minute, minutes).map(({ after, from, to }) => ({
        ...names,
        ...{ day: start.day + after, isInstant: start.isInstant || end.isInstant },
        numbers: [from, to, people, used, Number(isCancelled)],
      }))
    },
    counts(cells) {
      const names = readNames(cells, ['space'])
      if ('reason' in names) return names
      const moment = readMoment(cells.time, zoneOf(names.space))
      if (moment === undefined) return unusedTime('time', cells.time)
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

const minutesPerDay = 1_440
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
  const names: Names = { person: readName(cells.person), space: readName(cells.space), team: readName(cells.team) }
  const missing = required.find((role) => names[role] === undefined)
  return missing === undefined ? names : { reason: `${missing}_missing`, example: null }
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
