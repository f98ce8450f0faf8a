/** Deeper values of strangers are replaced: the recursion of JSON.stringify and of PostgreSQL is limited. */
const maxDepth = 64

/**
 * Returns a JSON value without what PostgreSQL cannot store in `jsonb`: NUL and incomplete surrogate pairs, also in
 * names of members. What is nested deeper than 64 levels becomes an ellipsis.
 */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  // JSON can write a number that JavaScript cannot hold; null would pass for no value.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.map((element) => storableJson(element, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storableJson(member, depth + 1)]),
  )
}

/** Returns a text without NUL and incomplete surrogate pairs. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Returns a value as JSON text that a `jsonb` column accepts, whatever a model, tool or provider sent. */
export const toJsonb = (value: unknown): string => JSON.stringify(storableJson(value)) ?? 'null'

/** Returns true if a JSON value is nested too deeply to be stored unchanged. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
