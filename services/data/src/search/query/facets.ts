type Value = string | number | boolean
export type Facet = { value: Value; count: number }[]

const maxValues = 10
/** Longer texts are not what things are sorted by. */
const maxValueLength = 200

/** Counts the values of one field. */
export function createFacet() {
  const counts = new Map<Value, number>()
  function add(value: unknown): void {
    if (Array.isArray(value)) for (const member of new Set(value)) add(member)
    else if (isValue(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return {
    add,
    /** The most frequent ones. */
    topValues: (): Facet =>
      [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((one, other) => other.count - one.count || (String(one.value) < String(other.value) ? -1 : 1))
        .slice(0, maxValues),
  }
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '' && value.length <= maxValueLength)
