import { isNoShowName, wordsOf } from '@wp/tabular'
import { blankUse } from '../attendance/counting/facts.ts'
import { endOfRange, readDurationMinutes, readTimeOfDay } from '../runs/series/time-of-day.ts'
import { type LocalMoment, readCancelled, readCheckIn, readCount, readNoShow, type ZoneOffset } from './read-cells.ts'
import { type Cells, momentAt, readTime, type UnusedRow, unused, unusedTime } from './row-times.ts'

/** A local day that a booking covers, with the columns of its fact; see `factColumns`. */
interface BookedDay {
  /** Days since 1970. */
  day: number
  numbers: number[]
  isInstant: boolean
}

/**
 * Creates the reader of the days of a booking, of which there is at least one.
 * @param mapping as of `createRowReader`
 */
export function createBookingReader({
  duration = '',
  checked_in: checkedIn = '',
  start: startColumn,
  end: endColumn,
}: Readonly<Record<string, string | undefined>>): (cells: Cells, zone: ZoneOffset) => BookedDay[] | UnusedRow {
  const unit = wordsOf(duration)
  const minutesOf = unit.some((word) => hourWord.test(word))
    ? 60
    : unit.some((word) => secondWord.test(word))
      ? 1 / 60
      : unit.some((word) => minuteWord.test(word))
        ? 1
        : undefined
  const useOf = createUseReader(isNoShowName(checkedIn))
  return (row, zone) => {
    const cells = startColumn === endColumn && startColumn !== undefined ? { ...row, end: endOfRange(row.end) } : row
    if (cells.end === undefined && row.end !== undefined) return unused('end_unreadable', row.end)
    const start = readTime(cells, 'start', zone)
    if ('reason' in start) return start
    const end = readEnd(cells, start, { zone, minutesOf })
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
      day: start.day + after,
      isInstant: start.isInstant || end.isInstant,
      numbers: [from, to, people, used, Number(isCancelled)],
    }))
  }
}

const hourWord = /^(?:h|hrs?|hours?|std|stunden?|heures?|ore|horas?|uren)$/
const secondWord = /^(?:s|secs?|seconds?|sek|sekunden|secondes)$/
const minuteWord = /^(?:m|mins?|minut[eo]s?|minuten|minuti)$/
const minutesPerDay = 1_440
/** A booking of more than a month is a slip of the keyboard, and one row must not make facts without end. */
const maxBookingMinutes = 31 * minutesPerDay

/** Reads the end of a booking, or its duration. An end without a day that is before the start is on the next day. */
function readEnd(
  cells: Cells,
  start: LocalMoment,
  { zone, minutesOf }: { zone: ZoneOffset; minutesOf: number | undefined },
): LocalMoment | UnusedRow {
  if (!Object.hasOwn(cells, 'end')) {
    const minutes = readDurationMinutes(cells.duration, minutesOf)
    if (minutes === undefined) return unusedTime('duration', cells.duration)
    return momentAt(start.day, start.second + minutes * 60, start.isInstant)
  }
  const hasDay = Object.hasOwn(cells, 'end_date')
  const hasClock = hasDay || Object.hasOwn(cells, 'date')
  // Beside a part of a day, 1 is a whole day and no hour; beside midnight it may be both.
  const isWhole = hasClock && cells.end === 1 && typeof cells.start === 'number' && cells.start < 1
  if (isWhole && cells.start === 0) return unused('end_unreadable', cells.end)
  const stated = isWhole ? { ...cells, end: 24 } : cells
  // Beside a start with its day, the end may be a time of day.
  const clock =
    hasClock || typeof cells.end !== 'string' || !cells.end.includes(':') ? undefined : readTimeOfDay(cells.end)
  const end =
    clock === undefined
      ? readTime(hasDay ? { ...stated, date: cells.end_date } : stated, 'end', zone)
      : momentAt(start.day, clock / 1_000, start.isInstant)
  const isClock = clock !== undefined || (Object.hasOwn(cells, 'date') && !hasDay)
  if (!isClock || !('day' in end) || end.day !== start.day) return end
  // From midnight to midnight is the whole day.
  const isWholeDay = end.second === 0 && start.second === 0
  return end.second < start.second || isWholeDay ? { ...end, day: end.day + 1 } : end
}

/**
 * Creates the reader of the use of a booking: 1 for used, 0 for not used, 2 for a blank in the only column of use, -1
 * for not known, as of one that a column of states names neither a no-show nor checked in.
 *
 * @param isInverse true if yes in the column of check-ins says that a booking was not used
 */
const createUseReader =
  (isInverse: boolean) =>
  (cells: Cells): number | UnusedRow => {
    const stated = useRoles.filter((role) => Object.hasOwn(cells, role))
    if (stated.length === 1 && stated.every((role) => (cells[role] ?? '') === '')) return blankUse
    const role = isInverse ? 'checked_in' : 'no_show'
    const isUsed = isInverse || !Object.hasOwn(cells, 'checked_in') ? 'unstated' : readCheckIn(cells.checked_in)
    const isMissed = Object.hasOwn(cells, role) ? readNoShow(cells[role]) : 'unstated'
    if (isUsed === undefined) return unused('checked_in_unreadable', cells.checked_in)
    if (isMissed === undefined) return unused(`${role}_unreadable`, cells[role])
    if (isUsed === 'unstated') return isMissed === 'unstated' ? -1 : Number(!isMissed)
    return isMissed === 'unstated' || isUsed !== isMissed ? Number(isUsed) : -1
  }

const useRoles = ['checked_in', 'no_show'] as const

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
