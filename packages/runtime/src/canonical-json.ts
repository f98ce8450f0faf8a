/**
 * Returns the canonical text of a JSON value (RFC 8785, JSON Canonicalization Scheme): members sorted by the UTF-16
 * code units of their names, no white space, numbers and strings as ECMAScript serializes them. Omits undefined
 * members.
 *
 * @param scalarJson returns the text of strings, names and other scalars; `JSON.stringify` accepts all
 * @throws Error by default, for a value that JSON cannot represent, and for a string with a lone surrogate
 */
export function canonicalJson(value: unknown, scalarJson: (scalar: unknown) => string = strictJson): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, scalarJson)).join(',')}]`
  if (typeof value !== 'object' || value === null) return scalarJson(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${scalarJson(name)}:${canonicalJson(member, scalarJson)}`)
  return `{${members.join(',')}}`
}

function strictJson(scalar: unknown): string {
  if (typeof scalar === 'string') {
    if (!scalar.isWellFormed()) throw new Error('a lone surrogate cannot be represented as JSON')
    return JSON.stringify(scalar)
  }
  if (scalar === null || typeof scalar === 'boolean' || Number.isFinite(scalar)) return JSON.stringify(scalar)
  throw new Error(`${String(scalar)} cannot be represented as JSON`)
}
