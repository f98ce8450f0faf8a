import type { FieldType } from '@wp/contracts'
import { createLocalTimeConverter, type LocalTimeConverter } from './time-zone.ts'

/**
 * Which kinds of values a field was seen to hold, as a set of bits. CSV has only text, so a text that reads as a
 * number, a boolean or a time is a kind of its own.
 */
export type Kinds = number

const text = 1
const number = 2
const numberText = 4
const boolean = 8
const booleanText = 16
const timestampText = 32
const nested = 64

/** JSON's own grammar of numbers (RFC 8259, section 6): `007` and `1,5` stay text. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const integerPattern = /^\d+$/
const timestampPattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/
const booleanPattern = /^(?:true|false)$/i
/** No number or time worth the name is longer; longer texts are not searched. */
const maxPatternLength = 40

/** The kind of one value; 0 for null and the empty text, which any field may hold. */
export function kindOf(value: unknown): Kinds {
  if (typeof value === 'string') return value === '' ? 0 : kindOfString(value)
  if (typeof value === 'number') return number
  if (typeof value === 'boolean') return boolean
  return value === null || value === undefined ? 0 : nested
}

/** Whether a text says more than a time, a truth value or a broken number does. */
export function isSearchableText(value: string): boolean {
  const kind = kindOf(value)
  return kind === text || (kind === numberText && integerPattern.test(value))
}

function kindOfString(value: string): Kinds {
  if (value.length > maxPatternLength) return text
  if (numberPattern.test(value)) return isExactNumber(value) ? numberText : text
  if (timestampPattern.test(value)) return Number.isNaN(Date.parse(value.slice(0, 10))) ? text : timestampText
  return booleanPattern.test(value) ? booleanText : text
}

/** Whether a double holds the number as it is written; identifiers with many digits do not survive. */
function isExactNumber(digits: string): boolean {
  const value = Number(digits)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** The type that fits everything a field was seen to hold. */
export function typeOf(kinds: Kinds): FieldType {
  if (kinds === 0) return 'null'
  if (isWithin(kinds, number | numberText)) return 'number'
  if (isWithin(kinds, boolean | booleanText)) return 'boolean'
  if (isWithin(kinds, timestampText)) return 'timestamp'
  return isWithin(kinds, text | numberText | booleanText | timestampText) ? 'string' : 'mixed'
}

const isWithin = (kinds: Kinds, allowed: Kinds) => (kinds & ~allowed) === 0

/** A stored value as its field's type says: numbers and booleans that came as text become what they say. */
export function convertToType(value: unknown, type: FieldType | undefined): unknown {
  if (typeof value !== 'string') return value ?? null
  if (value === '') return null
  if (type === 'number') return Number(value)
  return type === 'boolean' ? value.toLowerCase() === 'true' : value
}

export const isNumberText = (value: string): boolean => kindOf(value) === numberText
export const isTimestampText = (value: string): boolean => kindOf(value) === timestampText

/**
 * A text that reads as a time as milliseconds since 1970; NaN for one that cannot be, such as the 25th hour.
 * @param timezone of times that name none themselves; UTC by default
 */
export const parseTimestampMs = (time: string, timezone = 'UTC'): number =>
  toTimestampMs(createLocalTimeConverter(timezone), time)

/** The same for many, of one clock. */
export function toTimestampMs(clock: LocalTimeConverter, time: string): number {
  const [, day = '', hours = '00', minutes = '00', seconds = '00', fraction = '', zone = ''] =
    /^(.{10})(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?(.*)$/.exec(time) ?? []
  const local = `${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
  if (zone === '') return clock(Date.parse(`${local}Z`))
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return Date.parse(`${local}${offset}`)
}
