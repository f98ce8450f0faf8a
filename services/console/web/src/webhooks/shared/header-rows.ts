/** A custom header in a form. The value of a stored header is not known to the console. */
export interface HeaderRow {
  key: number
  name: string
  value: string
  isStored: boolean
}

/** Returns the headers that a form sets: those with a name whose value is not the stored one. */
export const toHeaders = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.filter(({ name, isStored }) => name.trim() !== '' && !isStored).map(({ name, value }) => [name.trim(), value]),
  )

/**
 * Returns the change of stored headers: null for each that the form no longer has, and the values it sets.
 * @returns undefined if nothing changes
 */
export function toHeadersPatch(
  stored: readonly string[],
  rows: readonly HeaderRow[],
): Record<string, string | null> | undefined {
  const set = toHeaders(rows)
  const kept = new Set(rows.filter(({ isStored }) => isStored).map(({ name }) => name))
  const removed = stored.filter((name) => !kept.has(name) && !(name in set))
  const patch = { ...Object.fromEntries(removed.map((name) => [name, null])), ...set }
  return Object.keys(patch).length === 0 ? undefined : patch
}
