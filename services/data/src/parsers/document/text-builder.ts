/** Builds a text as a browser renders it: collapses white space, breaks lines at blocks. */
export interface TextBuilder {
  /** @param isPreformatted keeps white space as it is */
  add(text: string, isPreformatted: boolean): void
  /** Adds a separator before the next text. A line break replaces any other separator. */
  separate(separator: '\t' | '\n'): void
  isTooLong(): boolean
  text(): string
}

/** @param maxLength in UTF-16 code units; text beyond it is dropped */
export function createTextBuilder(maxLength: number): TextBuilder {
  let text = ''
  /** Written before the next text. */
  let pendingSeparator: '' | ' ' | '\t' | '\n' = ''

  function append(words: string): void {
    if (words === '' || text.length > maxLength) return
    if (text !== '') text += pendingSeparator
    pendingSeparator = ''
    text += words
  }

  return {
    add(added, isPreformatted) {
      if (isPreformatted) return append(added)
      const words = added.replaceAll(/[ \t\n\f\r\u00a0]+/g, ' ')
      const start = words.startsWith(' ') ? 1 : 0
      const end = words.endsWith(' ') ? words.length - 1 : words.length
      if (start === 1 && pendingSeparator === '') pendingSeparator = ' '
      if (end <= start) return
      append(words.slice(start, end))
      if (end < words.length) pendingSeparator = ' '
    },
    separate(separator) {
      if (pendingSeparator !== '\n') pendingSeparator = separator
    },
    isTooLong: () => text.length > maxLength,
    text: () =>
      text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim(),
  }
}
