import type { DeclaredField } from '@wp/contracts'
import { momentBy, readsAsNumber, readsAsTime } from './kinds.ts'
import { clockOf } from './zone.ts'

/** What the fields of a source are declared to hold. */
export type Declared = ReadonlyMap<string, DeclaredField>

/** As a config says it, of any provider. */
export interface Declarations {
  fields?: Readonly<Record<string, DeclaredField>> | undefined
  timestamp_field?: string | undefined
}

export function declaredBy({ fields = {}, timestamp_field: timestampField }: Declarations): Declared {
  const declared = new Map(Object.entries(fields))
  if (timestampField !== undefined && !declared.has(timestampField)) declared.set(timestampField, { type: 'timestamp' })
  return declared
}

/** Stands for a value that is not as declared. */
export const misfit: unique symbol = Symbol('not as declared')

/**
 * A value as it is declared: a number, a truth value, a text, an instant in milliseconds since 1970. Null for what any
 * field may hold: nothing, or the empty text.
 */
export type Reading = string | number | boolean | null | typeof misfit
export type Reader = (value: unknown) => Reading

/** Reads the values of a field as it is declared. */
export function readerOf({ type, timezone = 'UTC' }: DeclaredField): Reader {
  const read = type === 'timestamp' ? timestampsBy(timezone) : readers[type]
  return (value) => (value === null || value === undefined || value === '' ? null : read(value))
}

const readers: Readonly<Record<Exclude<DeclaredField['type'], 'timestamp'>, Reader>> = {
  number: (value) => {
    if (typeof value === 'number') return value
    return typeof value === 'string' && readsAsNumber(value) ? Number(value) : misfit
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : misfit
  },
  string: (value) => (typeof value === 'object' ? misfit : String(value)),
}

function timestampsBy(timezone: string): Reader {
  const clock = clockOf(timezone)
  return (value) => {
    const moment = typeof value === 'string' && readsAsTime(value) ? momentBy(clock, value) : sinceEpoch(value)
    return Number.isNaN(moment) ? misfit : moment
  }
}

/** A number is seconds since 1970, or milliseconds: as seconds, the least of these are in the year 5138. */
function sinceEpoch(value: unknown): number {
  const number =
    typeof value === 'number' || (typeof value === 'string' && readsAsNumber(value)) ? Number(value) : Number.NaN
  return Math.abs(number) < 1e11 ? number * 1000 : number
}

/** Makes JSON of a field's values, null of what is not as declared. Times of a declared zone say their instant. */
export function typerOf(field: DeclaredField): (value: unknown) => unknown {
  const read = readerOf(field)
  return (value) => {
    const reading = read(value)
    if (reading === misfit || reading === null) return null
    if (field.type !== 'timestamp') return reading
    return field.timezone === undefined && typeof value === 'string' && readsAsTime(value)
      ? value
      : asTimestamp(Number(reading))
  }
}

/** When records happened, as their source's config says; null where it does not say, or the record does not. */
export function momentsBy(config: Declarations): (row: Readonly<Record<string, unknown>>) => string | null {
  const { timestamp_field: name } = config
  const field = name === undefined ? undefined : declaredBy(config).get(name)
  if (name === undefined || field?.type !== 'timestamp') return () => null
  const read = readerOf(field)
  return (row) => {
    const moment = Object.hasOwn(row, name) ? read(row[name]) : null
    return typeof moment === 'number' ? asTimestamp(moment) : null
  }
}

/** RFC 3339, or nothing for what lies outside of its years. */
function asTimestamp(moment: number): string | null {
  const text = Number.isFinite(moment) ? new Date(moment).toISOString() : ''
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null
}
