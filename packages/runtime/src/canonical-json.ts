/**
 * Returns the canonical text of a JSON value (RFC 8785, JSON Canonicalization Scheme): members sorted by the UTF-16
 * code units of their names, no white space, numbers and strings as ECMAScript serializes them. Omits undefined
 * members.
 *
 * @throws Error for a value that JSON cannot represent, and for a string with a lone surrogate
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${stringJson(name)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return stringJson(value)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value)
  throw new Error(`${String(value)} cannot be represented as JSON`)
}

function stringJson(value: string): string {
  if (!value.isWellFormed()) throw new Error('a lone surrogate cannot be represented as JSON')
  return JSON.stringify(value)
}
