import { isSearchableText } from '../../schema/value-kinds.ts'

/** Maximum length of the text collected from a row, in UTF-16 code units. */
const maxTextLength = 32_768

/**
 * Returns the searchable text of a row whose source names no text field: its strings at any depth, one a line.
 * Timestamps, booleans and non-integer numbers are left out, because filters find them; integers may be identifiers.
 * @param except fields to leave out
 * @returns null if there is no such string
 */
export function searchableText(row: Readonly<Record<string, unknown>>, except: readonly string[]): string | null {
  const lines: string[] = []
  let remaining = maxTextLength
  function collect(value: unknown): void {
    if (remaining <= 0) return
    if (typeof value === 'string') {
      if (!isSearchableText(value)) return
      const line = truncate(value, remaining)
      lines.push(line)
      remaining -= line.length + 1
    } else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) collect(member)
  }
  for (const name in row) if (Object.hasOwn(row, name) && !except.includes(name)) collect(row[name])
  return lines.length === 0 ? null : lines.join('\n')
}

/** Cuts off a string without splitting a surrogate pair. */
const truncate = (text: string, length: number): string =>
  text.length > length
    ? text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '')
    : text
