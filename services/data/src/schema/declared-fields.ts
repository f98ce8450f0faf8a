import type { DeclaredField } from '@wp/contracts'
import { createLocalTimeConverter } from './time-zone.ts'
import { isNumberText, isTimestampText, toTimestampMs } from './value-kinds.ts'

/** The declared fields of a source, by name. */
export type DeclaredFields = ReadonlyMap<string, DeclaredField>

/** The members of a source config, of any provider, that declare fields. */
export interface FieldDeclarations {
  fields?: Readonly<Record<string, DeclaredField>> | undefined
  timestamp_field?: string | undefined
}

/** Returns the declared fields of a source; `timestamp_field` is a timestamp unless `fields` declares it. */
export function declaredFieldsOf({ fields = {}, timestamp_field: timestampField }: FieldDeclarations): DeclaredFields {
  const declared = new Map(Object.entries(fields))
  if (timestampField !== undefined && !declared.has(timestampField)) declared.set(timestampField, { type: 'timestamp' })
  return declared
}

/** Marks a value that contradicts the declared type of its field. */
export const typeMismatch: unique symbol = Symbol('not as declared')

/**
 * A value converted to its declared type; a timestamp in milliseconds since 1970. Null for a missing value and the
 * empty string, which any field may hold.
 */
export type DeclaredValue = string | number | boolean | null | typeof typeMismatch
export type ValueConverter = (value: unknown) => DeclaredValue

/** Returns the converter for the values of a declared field. */
export function converterFor({ type, timezone = 'UTC' }: DeclaredField): ValueConverter {
  const convert = type === 'timestamp' ? timestampConverter(timezone) : converters[type]
  return (value) => (value === null || value === undefined || value === '' ? null : convert(value))
}

const converters: Readonly<Record<Exclude<DeclaredField['type'], 'timestamp'>, ValueConverter>> = {
  number: (value) => {
    if (typeof value === 'number') return value
    return typeof value === 'string' && isNumberText(value) ? Number(value) : typeMismatch
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : typeMismatch
  },
  string: (value) => (typeof value === 'object' ? typeMismatch : String(value)),
}

function timestampConverter(timezone: string): ValueConverter {
  const toUtc = createLocalTimeConverter(timezone)
  return (value) => {
    const ms = typeof value === 'string' && isTimestampText(value) ? toTimestampMs(toUtc, value) : epochToMs(value)
    return Number.isNaN(ms) ? typeMismatch : ms
  }
}

/** Reads a number below 1e11 as seconds since 1970, others as milliseconds: 1e11 seconds is in the year 5138. */
function epochToMs(value: unknown): number {
  const number =
    typeof value === 'number' || (typeof value === 'string' && isNumberText(value)) ? Number(value) : Number.NaN
  return Math.abs(number) < 1e11 ? number * 1000 : number
}

/**
 * Returns the converter to JSON for the values of a declared field. A value that does not match the declared type is
 * returned as it is, so that its reader can count it. A timestamp keeps its text unless a time zone is declared for it.
 */
export function jsonConverterFor(field: DeclaredField): (value: unknown) => unknown {
  const convert = converterFor(field)
  return (value) => {
    const converted = convert(value)
    if (converted === null) return null
    if (converted === typeMismatch) return value
    if (field.type !== 'timestamp') return converted
    return field.timezone === undefined && typeof value === 'string' && isTimestampText(value)
      ? value
      : (toRfc3339(Number(converted)) ?? value)
  }
}

/** Returns a function for `occurred_at` of a record: null if no timestamp field is declared or the record has none. */
export function createOccurredAtReader(
  config: FieldDeclarations,
): (row: Readonly<Record<string, unknown>>) => string | null {
  const { timestamp_field: name } = config
  const field = name === undefined ? undefined : declaredFieldsOf(config).get(name)
  if (name === undefined || field?.type !== 'timestamp') return () => null
  const convert = converterFor(field)
  return (row) => {
    const ms = Object.hasOwn(row, name) ? convert(row[name]) : null
    return typeof ms === 'number' ? toRfc3339(ms) : null
  }
}

/** Formats an instant as RFC 3339; null if its year is not between 1 and 9999. */
function toRfc3339(ms: number): string | null {
  const text = Number.isFinite(ms) ? new Date(ms).toISOString() : ''
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null
}
