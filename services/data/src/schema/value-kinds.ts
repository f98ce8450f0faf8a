import type { FieldType } from '@wp/contracts'
import type { Kinds } from '../store/sources/observed-fields.ts'
import { createLocalTimeConverter, type LocalTimeConverter } from './time-zone.ts'

// Kinds of values as bits of a `Kinds` set. CSV has only text, so text that reads as a number, a boolean or a timestamp
// is a kind of its own.
const text = 1
const number = 2
const numberText = 4
const boolean = 8
const booleanText = 16
const timestampText = 32
const nested = 64

/** The number grammar of JSON (RFC 8259, section 6): `007` and `1,5` are text. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const integerPattern = /^\d+$/
const timestampPattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?|24:00(?::00)?)(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/
const booleanPattern = /^(?:true|false)$/i
/** Numbers and timestamps are shorter; longer texts are not tested. */
const maxPatternLength = 40

/** Returns the kind of a value; 0 for null and the empty string, which any field may hold. */
export function kindOf(value: unknown): Kinds {
  if (typeof value === 'string') return value === '' ? 0 : kindOfString(value)
  if (typeof value === 'number') return number
  if (typeof value === 'boolean') return boolean
  return value === null || value === undefined ? 0 : nested
}

/** Returns true for a text worth searching: neither a timestamp nor a boolean nor a number, unless it is an integer. */
export function isSearchableText(value: string): boolean {
  const kind = kindOf(value)
  return kind === text || (kind === numberText && integerPattern.test(value))
}

function kindOfString(value: string): Kinds {
  if (value.length > maxPatternLength) return text
  if (numberPattern.test(value)) return isExactNumber(value) ? numberText : text
  if (timestampPattern.test(value)) return isOfCalendar(value.slice(0, 10)) ? timestampText : text
  return booleanPattern.test(value) ? booleanText : text
}

/** Returns false for the last days of shorter months: `Date.parse` makes 2 March of 30 February. */
const isOfCalendar = (day: string): boolean =>
  day.slice(8) <= '28' || new Date(Date.parse(day)).toISOString().startsWith(day)

/** Returns true if a double holds the number exactly; long identifiers do not fit. */
function isExactNumber(digits: string): boolean {
  const value = Number(digits)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** Returns the narrowest type that fits a set of kinds. */
export function typeOf(kinds: Kinds): FieldType {
  if (kinds === 0) return 'null'
  if (isWithin(kinds, number | numberText)) return 'number'
  if (isWithin(kinds, boolean | booleanText)) return 'boolean'
  if (isWithin(kinds, timestampText)) return 'timestamp'
  return isWithin(kinds, text | numberText | booleanText | timestampText) ? 'string' : 'mixed'
}

/** Returns true if some values are text that reads as a number. */
export const holdsNumberText = (kinds: Kinds): boolean => (kinds & numberText) !== 0
/** Returns true if some values are text that reads as a boolean. */
export const holdsBooleanText = (kinds: Kinds): boolean => (kinds & booleanText) !== 0

const isWithin = (kinds: Kinds, allowed: Kinds) => (kinds & ~allowed) === 0

/**
 * Converts a stored value to the inferred type of its field: text to numbers and booleans, null for an empty string.
 */
export function convertToType(value: unknown, type: FieldType | undefined): unknown {
  if (typeof value !== 'string') return value ?? null
  if (value === '') return null
  if (type === 'number') return Number(value)
  return type === 'boolean' ? value.toLowerCase() === 'true' : value
}

export const isNumberText = (value: string): boolean => kindOf(value) === numberText
export const isTimestampText = (value: string): boolean => kindOf(value) === timestampText

/**
 * Converts a timestamp text to milliseconds since 1970; NaN if it is not a valid time, such as the 25th hour.
 * @param timezone of a text without one; UTC by default
 */
export const parseTimestampMs = (text: string, timezone = 'UTC'): number =>
  toTimestampMs(createLocalTimeConverter(timezone), text)

/** Like `parseTimestampMs`, with a converter that is created once for many texts. */
export function toTimestampMs(toUtc: LocalTimeConverter, text: string): number {
  const [, day = '', hours = '00', minutes = '00', seconds = '00', fraction = '', zone = ''] =
    /^(.{10})(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?(.*)$/.exec(text) ?? []
  const local = `${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
  if (zone === '') return toUtc(Date.parse(`${local}Z`))
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return Date.parse(`${local}${offset}`)
}
