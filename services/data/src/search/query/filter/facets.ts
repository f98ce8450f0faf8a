import { listMembers } from './field-filter.ts'

type Value = string | number | boolean
/** The most frequent values of a field. */
export type Facet = { value: Value; count: number }[]

const maxValues = 10
/** Longer strings are free text rather than categories. */
const maxValueLength = 200
/** Further values are not counted. Only a field with arrays can have more: facets count at most 10,000 documents. */
const maxDistinctValues = 10_000

/** Creates a counter of the values of one field. */
export function createFacet() {
  const counts = new Map<Value, number>()
  /** Counts a value; of an array, each distinct member once. */
  function add(value: unknown): void {
    if (Array.isArray(value)) for (const member of new Set(listMembers(value))) add(member)
    else if (isCountable(value) && (counts.size < maxDistinctValues || counts.has(value)))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return {
    add,
    /** Returns up to 10 values, most frequent first, ties in string order. */
    topValues: (): Facet =>
      [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
        .slice(0, maxValues),
  }
}

export const isCountable = (value: unknown): value is Value =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '' && value.length <= maxValueLength)
