import type { DeclaredField, FieldFilter } from '@wp/contracts'
import { converterFor, typeMismatch } from '../../schema/declared-fields.ts'
import { isNumberText, isTimestampText, parseTimestampMs } from '../../schema/value-kinds.ts'

type Scalar = string | number | boolean

/**
 * Whether the value of a field passes. Of a list, one that passes is enough; what is absent passes nothing but
 * what it is not, and that it is absent.
 * @param by of a field that is declared, `asDeclared`
 */
export function matchesFilter(value: unknown, filter: FieldFilter, by = compareAsStored): boolean {
  if (typeof filter === 'object' && 'exists' in filter) return isPresent(value) === filter.exists
  if (typeof filter === 'object' && 'not' in filter)
    return ![filter.not].flat().some((unwanted) => matchesFilter(value, unwanted, by))
  if (Array.isArray(value)) return value.some((member) => matchesFilter(member, filter, by))
  const { isEqual, compare } = by
  if (typeof filter !== 'object') return isEqual(value, filter)
  if ('in' in filter) return filter.in.some((wanted) => isEqual(value, wanted))
  const { gt, gte, lt, lte } = filter
  return (
    (gt === undefined || compare(value, gt) > 0) &&
    (gte === undefined || compare(value, gte) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (lte === undefined || compare(value, lte) <= 0)
  )
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** How values are held against what is wanted. */
export interface Comparison {
  isEqual(value: unknown, wanted: Scalar): boolean
  compare(value: unknown, wanted: string | number): number
}

/** Reads both as the field is declared; a value that is not is within no bounds. */
export function compareAsDeclared(field: DeclaredField): Comparison {
  const read = converterFor(field)
  /** NaN also where one of the two is not as declared. */
  function compare(value: unknown, wanted: Scalar): number {
    const [one, other] = [read(value), read(wanted)]
    if (one === null || other === null || one === typeMismatch || other === typeMismatch) return Number.NaN
    if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
    return Number(one) - Number(other)
  }
  return { compare, isEqual: (value, wanted) => compare(value, wanted) === 0 || value === wanted }
}

function isEqual(value: unknown, wanted: Scalar): boolean {
  if (typeof wanted === 'boolean')
    return value === wanted || (typeof value === 'string' && value.toLowerCase() === String(wanted))
  // What a query parameter or a CSV had to write as text.
  if (typeof wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value) === wanted
  return value === wanted || compare(value, wanted) === 0
}

/** Below, at or above 0; NaN, which is none of these, where the two cannot be compared. */
function compare(value: unknown, wanted: string | number): number {
  if (typeof wanted === 'number') {
    if (typeof value === 'number') return value - wanted
    return typeof value === 'string' && isNumberText(value) ? Number(value) - wanted : Number.NaN
  }
  if (typeof value !== 'string') return Number.NaN
  if (isTimestampText(wanted) && isTimestampText(value)) return parseTimestampMs(value) - parseTimestampMs(wanted)
  return value < wanted ? -1 : value > wanted ? 1 : 0
}

const compareAsStored: Comparison = { isEqual, compare }
