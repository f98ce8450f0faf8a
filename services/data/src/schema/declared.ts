import type { DeclaredField } from '@wp/contracts'
import { kindOf, momentOf, readsAsNumber, readsAsTime } from './kinds.ts'

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
 * A stored value as its field is declared: a number, a truth value, a text, an instant in milliseconds since 1970. Null
 * for what any field may hold: nothing, or the empty text.
 */
export function readAs(value: unknown, { type, timezone }: DeclaredField): Reading {
  if (value === null || value === undefined || value === '') return null
  switch (type) {
    case 'number':
      if (typeof value === 'number') return value
      return typeof value === 'string' && readsAsNumber(value) ? Number(value) : misfit
    case 'boolean':
      if (typeof value === 'boolean') return value
      return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : misfit
    case 'timestamp': {
      const moment = typeof value === 'string' && readsAsTime(value) ? momentOf(value, timezone) : Number.NaN
      return Number.isNaN(moment) ? misfit : moment
    }
    case 'string':
      return typeof value === 'object' ? misfit : String(value)
  }
}
type Reading = string | number | boolean | null | typeof misfit

/** When a record happened, as its source's config says; null where it does not say, or the record does not. */
export function momentIn(row: Readonly<Record<string, unknown>>, config: Declarations): string | null {
  const { timestamp_field: name } = config
  if (name === undefined || !Object.hasOwn(row, name)) return null
  const field = config.fields?.[name] ?? { type: 'timestamp' }
  const moment = field.type === 'timestamp' ? readAs(row[name], field) : null
  return typeof moment === 'number' ? asTimestamp(moment) : null
}

/** RFC 3339, or nothing for what lies outside of its years. */
export function asTimestamp(moment: number): string | null {
  const text = Number.isFinite(moment) ? new Date(moment).toISOString() : ''
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null
}

/** Whether a value is other than its field is declared; with the kind it is of. */
export const misfitKind = (value: unknown, field: DeclaredField): number =>
  readAs(value, field) === misfit ? kindOf(value) : 0
