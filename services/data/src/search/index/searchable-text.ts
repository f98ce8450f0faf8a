import { isSearchableText } from '../../schema/value-kinds.ts'

/** Maximum length of the text collected from a row, in UTF-16 code units. */
const maxTextLength = 32_768

/**
 * Returns the searchable text of a row whose source names no text field: its strings and integers at any depth, one a
 * line, members sorted by name. It depends neither on the order of the members, which storage does not keep, nor on
 * whether a number is text, as in CSV. Timestamps, booleans and other numbers are left out, because filters find them;
 * integers may be identifiers.
 * @param except fields to leave out
 * @returns null if there is no such value
 */
export function searchableText(row: Readonly<Record<string, unknown>>, except: readonly string[]): string | null {
  const lines: string[] = []
  let remaining = maxTextLength
  function collect(value: unknown): void {
    if (remaining <= 0) return
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value)
      if (!isSearchableText(text)) return
      const line = truncate(text, remaining)
      lines.push(line)
      remaining -= line.length + 1
    } else if (Array.isArray(value)) for (const member of value) collect(member)
    else if (typeof value === 'object' && value !== null) collectMembers(value as Record<string, unknown>) // not an array
  }
  function collectMembers(members: Readonly<Record<string, unknown>>, left: readonly string[] = []): void {
    for (const name of Object.keys(members).sort()) if (!left.includes(name)) collect(members[name])
  }
  collectMembers(row, except)
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
