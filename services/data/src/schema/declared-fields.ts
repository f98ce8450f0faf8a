import type { DeclaredField } from '@wp/contracts'
import { createLocalTimeConverter } from './time-zone.ts'
import { isNumberText, isTimestampText, toTimestampMs } from './value-kinds.ts'

/** What the fields of a source are declared to hold. */
export type DeclaredFields = ReadonlyMap<string, DeclaredField>

/** As a config says it, of any provider. */
export interface FieldDeclarations {
  fields?: Readonly<Record<string, DeclaredField>> | undefined
  timestamp_field?: string | undefined
}

export function declaredFieldsOf({ fields = {}, timestamp_field: timestampField }: FieldDeclarations): DeclaredFields {
  const declared = new Map(Object.entries(fields))
  if (timestampField !== undefined && !declared.has(timestampField)) declared.set(timestampField, { type: 'timestamp' })
  return declared
}

/** Stands for a value that is not as declared. */
export const typeMismatch: unique symbol = Symbol('not as declared')

/**
 * A value as it is declared: a number, a truth value, a text, an instant in milliseconds since 1970. Null for what any
 * field may hold: nothing, or the empty text.
 */
export type DeclaredValue = string | number | boolean | null | typeof typeMismatch
export type ValueConverter = (value: unknown) => DeclaredValue

/** Reads the values of a field as it is declared. */
export function converterFor({ type, timezone = 'UTC' }: DeclaredField): ValueConverter {
  const read = type === 'timestamp' ? timestampConverter(timezone) : converters[type]
  return (value) => (value === null || value === undefined || value === '' ? null : read(value))
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
  const clock = createLocalTimeConverter(timezone)
  return (value) => {
    const moment = typeof value === 'string' && isTimestampText(value) ? toTimestampMs(clock, value) : epochToMs(value)
    return Number.isNaN(moment) ? typeMismatch : moment
  }
}

/** A number is seconds since 1970, or milliseconds: as seconds, the least of these are in the year 5138. */
function epochToMs(value: unknown): number {
  const number =
    typeof value === 'number' || (typeof value === 'string' && isNumberText(value)) ? Number(value) : Number.NaN
  return Math.abs(number) < 1e11 ? number * 1000 : number
}

/** Makes JSON of a field's values, null of what is not as declared. Times of a declared zone say their instant. */
export function jsonConverterFor(field: DeclaredField): (value: unknown) => unknown {
  const read = converterFor(field)
  return (value) => {
    const reading = read(value)
    if (reading === typeMismatch || reading === null) return null
    if (field.type !== 'timestamp') return reading
    return field.timezone === undefined && typeof value === 'string' && isTimestampText(value)
      ? value
      : toRfc3339(Number(reading))
  }
}

/** When records happened, as their source's config says; null where it does not say, or the record does not. */
export function createOccurredAtReader(
  config: FieldDeclarations,
): (row: Readonly<Record<string, unknown>>) => string | null {
  const { timestamp_field: name } = config
  const field = name === undefined ? undefined : declaredFieldsOf(config).get(name)
  if (name === undefined || field?.type !== 'timestamp') return () => null
  const read = converterFor(field)
  return (row) => {
    const moment = Object.hasOwn(row, name) ? read(row[name]) : null
    return typeof moment === 'number' ? toRfc3339(moment) : null
  }
}

/** RFC 3339, or nothing for what lies outside of its years. */
function toRfc3339(moment: number): string | null {
  const text = Number.isFinite(moment) ? new Date(moment).toISOString() : ''
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null
}
