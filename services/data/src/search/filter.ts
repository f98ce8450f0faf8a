import type { FieldFilter } from '@wp/contracts'
import { momentOf, readsAsNumber, readsAsTime } from '../schema/kinds.ts'

type Scalar = string | number | boolean

/** Whether the value of a field passes. Of a list, one that passes is enough; what is absent passes nothing. */
export function passes(value: unknown, filter: FieldFilter): boolean {
  if (Array.isArray(value)) return value.some((member) => passes(member, filter))
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
    return typeof value === 'string' && readsAsNumber(value) ? Number(value) - wanted : Number.NaN
  }
  if (typeof value !== 'string') return Number.NaN
  if (readsAsTime(wanted) && readsAsTime(value)) return momentOf(value) - momentOf(wanted)
  return value < wanted ? -1 : value > wanted ? 1 : 0
}
