import type { DomainEvent, EventFilter, FilterCondition, FilterConditions } from '@wp/contracts'

/** The part of an event that filters read. */
type FilteredEvent = Pick<DomainEvent, 'kind' | 'occurred_at' | 'data'>

/**
 * Members of an array that are compared, and characters of a text that are searched, which bound the time of a
 * condition.
 */
const [maxMembers, maxSearchedCharacters] = [100, 4_096]

/**
 * Returns true if an event passes a filter. An event whose payload was too large and is truncated
 * passes every filter, because the fields are unknown.
 */
export function matchesEventFilter({ all, any }: EventFilter, event: FilteredEvent): boolean {
  if (event.data.truncated === true) return true
  const payload = { ...event.data, event: event.kind, occurred_at: event.occurred_at }
  return (
    (all === undefined || matchesAll(payload, all)) &&
    (any === undefined || any.some((conditions) => matchesAll(payload, conditions)))
  )
}

const matchesAll = (payload: object, conditions: FilterConditions): boolean =>
  Object.entries(conditions).every(([path, condition]) => matches(readPath(payload, path), condition))

/** Returns the value at a path; undefined if a member is missing. */
const readPath = (payload: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : undefined,
      payload,
    )

/**
 * Returns true if a value meets a condition. An array does if one of its first 100 members does. A missing value meets
 * only `not` and `exists: false`.
 */
function matches(value: unknown, condition: FilterCondition): boolean {
  if (typeof condition === 'object' && 'exists' in condition) return isPresent(value) === condition.exists
  if (typeof condition === 'object' && 'not' in condition)
    return ![condition.not].flat().some((unwanted) => matches(value, unwanted))
  if (Array.isArray(value)) return value.slice(0, maxMembers).some((member) => matchesScalar(member, condition))
  return matchesScalar(value, condition)
}

type ScalarCondition = Exclude<FilterCondition, { not: unknown } | { exists: unknown }>

function matchesScalar(value: unknown, condition: ScalarCondition): boolean {
  if (typeof condition !== 'object') return value === condition
  if ('contains' in condition) return typeof value === 'string' && containsText(value, condition.contains)
  if ('in' in condition) return condition.in.some((wanted) => value === wanted)
  const { gt, gte, lt, lte } = condition
  return (
    (gt === undefined || compare(value, gt) > 0) &&
    (gte === undefined || compare(value, gte) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (lte === undefined || compare(value, lte) <= 0)
  )
}

const containsText = (value: string, part: string): boolean => value.slice(0, maxSearchedCharacters).includes(part)

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const maxTimestampLength = 40

const isTimestamp = (text: string): boolean => text.length <= maxTimestampLength && timestamp.test(text)

/** Compares values of the same type, and times as such. @returns below, at or above 0; NaN if the types differ */
function compare(value: unknown, wanted: string | number): number {
  if (typeof value === 'number' && typeof wanted === 'number') return value - wanted
  if (typeof value !== 'string' || typeof wanted !== 'string') return Number.NaN
  if (isTimestamp(value) && isTimestamp(wanted)) return Date.parse(value) - Date.parse(wanted)
  return value < wanted ? -1 : value > wanted ? 1 : 0
}
