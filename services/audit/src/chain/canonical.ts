/**
 * The one text of a JSON value (RFC 8785, JSON Canonicalization Scheme): members sorted by the UTF-16 code units of
 * their names, no white space, numbers and strings as ECMAScript writes them. Members that are undefined are left out.
 *
 * @throws Error for what is no JSON, and for text that is no Unicode
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${text(name)}:${canonical(member)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return text(value)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value)
  throw new Error(`${String(value)} cannot be written as JSON`)
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new Error('a lone surrogate cannot be written as JSON')
  return JSON.stringify(value)
}
