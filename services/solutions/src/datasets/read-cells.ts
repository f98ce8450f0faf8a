import { toMailAddress } from '@wp/contracts'
import {
  type BookingState,
  bookingStateOf,
  directionOf,
  isAccess,
  isActiveState,
  isNoName,
  markOf,
  parseTimestamp,
  plainNumber,
  scanNumber,
  visibleText,
} from '@wp/tabular'

/** A local moment, as days since 1970, and minutes and seconds since midnight. */
export interface LocalMoment {
  day: number
  minute: number
  second: number
  /** True if the time states its offset from UTC, so that the local time depends on the zone of the space. */
  isInstant: boolean
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** Days of 2000-01-01 and 2050-01-01: times outside are slips of a keyboard. */
const firstDay = 10_957
const lastDay = 29_220

/** Returns the offset of a time zone from UTC at an instant, in milliseconds. */
export type ZoneOffset = (instantMs: number) => number

/**
 * Creates a reader of offsets that asks Intl once for each quarter of an hour, the shortest time between two offsets.
 *
 * @param timezone a name that Intl knows
 */
export function createZoneOffset(timezone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, number>()
  return (instantMs) => {
    const quarter = Math.floor(instantMs / (15 * minuteMs))
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const name = format.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs * (sign === '-' ? -1 : 1)
    if (offsets.size >= maxOffsets) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }
}
/** Two years of quarters of an hour. */
const maxOffsets = 70_000

/**
 * Reads a time of ISO 8601, as records hold them, or the seconds or milliseconds since 1970 of a database.
 * @returns undefined for anything else, and for years far away
 */
export function readMoment(cell: unknown, zone: ZoneOffset): LocalMoment | undefined {
  const parsed = typeof cell === 'string' ? parseTimestamp(cell.trim()) : ofEpoch(cell)
  if (parsed === null) return undefined
  const { wallMs, offsetMs } = parsed
  const instantMs = wallMs - (offsetMs ?? 0)
  const localMs = offsetMs === null ? wallMs : instantMs + zone(instantMs)
  const day = Math.floor(localMs / dayMs)
  if (day < firstDay || day >= lastDay) return undefined
  const second = Math.floor((localMs - day * dayMs) / 1000)
  return { day, second, minute: Math.floor(second / 60), isInstant: offsetMs !== null }
}

/** From 2001 to 2033: 2026032308 is the hour of a day. */
const [firstEpoch, endOfEpochs] = [1e9, 2e9]

function ofEpoch(cell: unknown) {
  if (typeof cell !== 'number') return null
  const ms = cell < endOfEpochs ? cell * 1000 : cell
  return ms >= firstEpoch * 1000 && ms < endOfEpochs * 1000 ? { wallMs: ms, offsetMs: 0 } : null
}

/** Reads a date, also one that is written as midnight in UTC. */
export function readDay(cell: unknown, zone: ZoneOffset): LocalMoment | undefined {
  const text = typeof cell === 'string' ? cell.trim() : cell
  const isUtcMidnight = typeof text === 'string' && /T00:00(?::00(?:\.0+)?)?Z$/.test(text)
  return readMoment(isUtcMidnight ? text.slice(0, text.indexOf('T')) : cell, zone)
}

/** Returns true for an end that is not set, which directories write as 31.12.9999, 2999 or 2099. */
export function isOpenEnd(cell: unknown): boolean {
  // PostgreSQL writes it as infinity.
  if (cell === 'infinity') return true
  const parsed = typeof cell === 'string' ? parseTimestamp(cell.trim()) : null
  return parsed !== null && parsed.wallMs >= lastDay * dayMs
}

/** Reads the text that names a person, space or team, without what cannot be seen of it; a number is its digits. */
export function readName(cell: unknown): string | undefined {
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  if (typeof cell !== 'string') return undefined
  const text = visibleText(cell)
  return text === '' || isNoName(text) ? undefined : text.slice(0, maxNameLength)
}
const maxNameLength = 500

/** Reads the text that names a person: as a pseudonym does, `00417.0` is 417, and a mail address in lower case. */
export function readPerson(cell: unknown): string | undefined {
  const name = readName(cell)
  if (name === undefined) return undefined
  return name.includes('@') ? (toMailAddress(name) ?? name) : plainNumber(name)
}

/** Reads a count of people: a whole number from 0 on. */
export function readCount(cell: unknown): number | 'empty' | 'unreadable' {
  if (cell === null || cell === undefined || cell === '') return 'empty'
  const value =
    typeof cell === 'number' ? cell : Number(typeof cell === 'string' && scanNumber(cell) ? cell : Number.NaN)
  const isCount = Number.isInteger(value) && value >= 0 && value <= maxCount && !errorCodes.has(value)
  return isCount ? value : 'unreadable'
}
const maxCount = 1_000_000
/** The largest numbers of 16 bits, which counters of people write for no count. */
const errorCodes: ReadonlySet<number> = new Set([32_767, 65_535])

/** Reads the direction of a swipe: 0 not stated or let in, 1 in, 2 out; undefined for another word, such as denied. */
export function readDirection(cell: unknown): 0 | 1 | 2 | undefined {
  if (cell === null || cell === undefined || cell === '') return 0
  const direction = directionOf(String(cell))
  if (direction !== undefined) return direction === 'in' ? 1 : 2
  return isAccess(String(cell), 'granted') ? 0 : undefined
}

/** Reads yes or no, also as PostgreSQL writes it. Elsewhere these letters are codes of days, such as training. */
const flagOf = (text: string): boolean | undefined => (/^[tf]$/i.test(text) ? /t/i.test(text) : markOf(text))

/** Creates a reader of yes or no, also by states. A time stands for yes, empty is no; other words are undefined. */
const flagReader =
  (...states: BookingState[]) =>
  (cell: unknown): boolean | undefined => {
    if (cell === null || cell === undefined || cell === '') return false
    const mark = flagOf(String(cell).trim())
    if (mark !== undefined) return mark
    const state = bookingStateOf(String(cell))
    if (state !== undefined) return states.includes(state)
    return parseTimestamp(String(cell).trim()) === null ? undefined : true
  }

/** Reads if a person or space is not gone; empty is yes. */
export const readActive = (cell: unknown): boolean | undefined =>
  cell === null || cell === undefined || cell === ''
    ? true
    : (flagOf(String(cell).trim()) ?? isActiveState(String(cell)))

/** Reads if a booking was used. */
export const readCheckIn = flagReader('attended', 'completed')
/** Reads if a booking was not used. */
export const readNoShow = flagReader('missed')
/** Reads if a booking was cancelled. */
export const readCancelled = flagReader('cancelled')
