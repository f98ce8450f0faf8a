/** Returns a JSON value without what PostgreSQL cannot store in `jsonb`: NUL and incomplete surrogate pairs. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storableJson(member)]))
}

export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
