import type { DatasetKind } from '@wp/contracts'
import { placeOfStatus } from '@wp/tabular'
import { pathSeparator } from '../workplace/match-values.ts'
import { createBookingReader } from './read-booking.ts'
import {
  isOpenEnd,
  type LocalMoment,
  readActive,
  readCount,
  readDay,
  readDirection,
  readName,
  readPerson,
  type ZoneOffset,
} from './read-cells.ts'
import { type Cells, readTime, type UnusedRow, unused, unusedTime } from './row-times.ts'

/** The kinds of datasets whose rows are counted; rows of `spaces` make spaces. */
export type CountedKind = Exclude<DatasetKind, 'spaces'>

/**
 * The version of what is read from a row. Raise it with each change: the facts of a row that changes are taken back by
 * reading its former cells again, so rows that another version read are read again first.
 */
export const readerVersion = 5

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
  mapping: Readonly<Record<string, string | undefined>> = {},
): (cells: Cells) => RowFact[] | UnusedRow {
  const readBooking = createBookingReader(mapping)
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
      const days = readBooking(cells, zoneOf(names.space))
      return 'reason' in days ? days : days.map((day) => ({ ...names, ...day }))
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
