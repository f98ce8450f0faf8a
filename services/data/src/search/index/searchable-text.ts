import { isSearchableText } from '../../schema/value-kinds.ts'

/** Longest text that is gathered from a row's fields, in UTF-16 code units. */
const maxTextLength = 32_768

/**
 * What is searched of a row whose source names no text field: its texts, one a line, but for what `except` names. Times,
 * truth values and broken numbers are found by filters, not by words; whole numbers may name something and stay.
 */
export function searchableText(row: Readonly<Record<string, unknown>>, except: readonly string[]): string | null {
  const lines: string[] = []
  let room = maxTextLength
  function gather(value: unknown): void {
    if (room <= 0) return
    if (typeof value === 'string') {
      if (!isSearchableText(value)) return
      const line =
        value.length > room
          ? value
              .slice(0, room)
              .toWellFormed()
              .replace(/\ufffd$/, '')
          : value
      lines.push(line)
      room -= line.length + 1
    } else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) gather(member)
  }
  for (const name in row) if (Object.hasOwn(row, name) && !except.includes(name)) gather(row[name])
  return lines.length === 0 ? null : lines.join('\n')
}
