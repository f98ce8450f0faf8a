import { type DeclaredField, type FieldFilter, withWholeLastDay } from '@wp/contracts'
import { converterFor, typeMismatch } from '../../../schema/declared-fields.ts'
import { isNumberText, isTimestampText, parseTimestampMs } from '../../../schema/value-kinds.ts'

export type Scalar = string | number | boolean

/** Further members of an array, including those of arrays in it, are ignored. */
export const maxMembers = 1_000

/**
 * Returns true if the value of a field passes a filter. An array passes if any of its first 1,000 members does. A
 * missing value passes only `not` and `exists: false`.
 * @param comparison for a declared field `compareAsDeclared`
 */
export function matchesFilter(value: unknown, filter: FieldFilter, comparison = compareAsStored): boolean {
  if (typeof filter === 'object' && 'exists' in filter) return isPresent(value) === filter.exists
  if (typeof filter === 'object' && 'not' in filter)
    return ![filter.not].flat().some((unwanted) => matchesFilter(value, unwanted, comparison))
  if (Array.isArray(value)) return listMembers(value).some((member) => matchesFilter(member, filter, comparison))
  const { isEqual, compare } = comparison
  if (typeof filter !== 'object') return isEqual(value, filter)
  if ('in' in filter) return filter.in.some((wanted) => isEqual(value, wanted))
  const { gt, gte, lt, lte } = withWholeLastDay(filter)
  return (
    (gt === undefined || compare(value, gt) > 0) &&
    (gte === undefined || compare(value, gte) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (lte === undefined || compare(value, lte) <= 0)
  )
}

/** Returns the first members of an array and of the arrays in it. */
export function listMembers(array: readonly unknown[]): unknown[] {
  const members: unknown[] = []
  // A record is at most 256 KiB, which bounds how deep its arrays are nested.
  const pending: unknown[] = array.slice(0, maxMembers).reverse()
  while (pending.length > 0 && members.length < maxMembers) {
    const member = pending.pop()
    if (Array.isArray(member)) for (const inner of member.slice(0, maxMembers).reverse()) pending.push(inner)
    else members.push(member)
  }
  return members
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

export interface Comparison {
  isEqual(value: unknown, wanted: Scalar): boolean
  /** Returns a number below, at or above 0; NaN if the two cannot be compared. */
  compare(value: unknown, wanted: string | number): number
}

/** Converts both sides to the declared type. A value without that type is within no range. */
export function compareAsDeclared(field: DeclaredField): Comparison {
  const convert = converterFor(field)
  function compare(value: unknown, wanted: Scalar): number {
    const [left, right] = [convert(value), convert(wanted)]
    if (left === null || right === null || left === typeMismatch || right === typeMismatch) return Number.NaN
    if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
    return Number(left) - Number(right)
  }
  return { compare, isEqual: (value, wanted) => compare(value, wanted) === 0 || value === wanted }
}

function isEqual(value: unknown, wanted: Scalar): boolean {
  if (typeof wanted === 'boolean')
    return value === wanted || (typeof value === 'string' && value.toLowerCase() === String(wanted))
  // Query parameters and CSV can only express numbers and booleans as text.
  if (typeof wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value) === wanted
  return value === wanted || compare(value, wanted) === 0
}

function compare(value: unknown, wanted: string | number): number {
  if (typeof wanted === 'number') {
    if (typeof value === 'number') return value - wanted
    return typeof value === 'string' && isNumberText(value) ? Number(value) - wanted : Number.NaN
  }
  if (typeof value !== 'string') return Number.NaN
  if (isTimestampText(wanted) && isTimestampText(value)) return parseTimestampMs(value) - parseTimestampMs(wanted)
  return value < wanted ? -1 : value > wanted ? 1 : 0
}

/** Compares by the JSON type of the wanted value; strings that look like numbers or timestamps compare as such. */
export const compareAsStored: Comparison = { isEqual, compare }
