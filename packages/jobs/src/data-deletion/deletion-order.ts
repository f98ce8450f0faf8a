/** A table that refers to others by foreign keys. */
export interface ReferringTable {
  name: string
  references: readonly string[]
}

/**
 * Returns the tables in an order in which their rows can be deleted: each before the tables it refers to, otherwise by
 * name. Tables that refer to each other in a circle come last, by name.
 */
export function deletionOrder<T extends ReferringTable>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  let remaining = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  while (remaining.length > 0) {
    const referenced = new Set(
      remaining.flatMap(({ name, references }) => references.filter((other) => other !== name)),
    )
    const free = remaining.filter(({ name }) => !referenced.has(name))
    if (free.length === 0) return [...ordered, ...remaining]
    ordered.push(...free)
    remaining = remaining.filter(({ name }) => referenced.has(name))
  }
  return ordered
}
