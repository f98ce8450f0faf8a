/**
 * Returns the canonical JSON text of a value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers
 * as ECMAScript formats them.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = value as Record<string, unknown> // an object that is not an array
  const names = Object.keys(members).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`).join(',')}}`
}

/**
 * Returns a text that is the same for rows of equal content, whichever format they were read from: a number and its
 * text are equal, likewise null, the empty text and a missing field, as when stored records are compared.
 */
export function contentText(row: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(row)
    .filter((name) => row[name] !== null && row[name] !== undefined && row[name] !== '')
    .sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${memberText(row[name])}`).join(',')}}`
}

const memberText = (value: unknown): string =>
  typeof value === 'object' ? canonicalJson(value) : JSON.stringify(String(value))
