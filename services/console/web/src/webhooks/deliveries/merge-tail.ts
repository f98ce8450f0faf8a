/** The rows of a list that is followed live. */
export interface Tail<Row> {
  /** Newest first. */
  rows: readonly Row[]
  /** New rows that wait until they are asked for, so that the rows being read stay where they are. */
  held: readonly Row[]
}

/** Rows kept while a list is followed; older ones are reached by pages. */
const maxRows = 500

/**
 * Adds the newest rows of a list to those already shown. Rows that are known are replaced where they are.
 * @param isHolding new rows wait in `held`, in place of being shown above the others
 */
export function mergeTail<Row>(
  { rows, held }: Tail<Row>,
  newest: readonly Row[],
  keyOf: (row: Row) => string,
  isHolding: boolean,
): Tail<Row> {
  const current = new Map(newest.map((row) => [keyOf(row), row]))
  const update = (row: Row) => current.get(keyOf(row)) ?? row
  const known = new Set([...rows, ...held].map(keyOf))
  const added = newest.filter((row) => !known.has(keyOf(row)))
  const waiting = [...added, ...held.map(update)]
  if (isHolding && rows.length > 0) return { rows: rows.map(update), held: waiting.slice(0, maxRows) }
  return { rows: [...waiting, ...rows.map(update)].slice(0, maxRows), held: [] }
}
