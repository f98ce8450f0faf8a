/** A text that is put together as HTML is shown: white space runs together, blocks break lines. */
export interface TextBuilder {
  /** @param isKept whether its white space counts */
  add(piece: string, isKept: boolean): void
  /** Something stands between what was and what comes. */
  separate(between: '\t' | '\n'): void
  isTooLong(): boolean
  text(): string
}

/** @param maxLength in UTF-16 code units; what is longer is no longer kept */
export function createTextBuilder(maxLength: number): TextBuilder {
  let text = ''
  /** What is due before the next word. */
  let pendingSeparator: '' | ' ' | '\t' | '\n' = ''

  function append(words: string): void {
    if (words === '' || text.length > maxLength) return
    if (text !== '') text += pendingSeparator
    pendingSeparator = ''
    text += words
  }

  return {
    add(piece, isKept) {
      if (isKept) return append(piece)
      const words = piece.replaceAll(/[ \t\n\f\r\u00a0]+/g, ' ')
      const begins = words.startsWith(' ') ? 1 : 0
      const ends = words.endsWith(' ') ? words.length - 1 : words.length
      if (begins === 1 && pendingSeparator === '') pendingSeparator = ' '
      if (ends <= begins) return
      append(words.slice(begins, ends))
      if (ends < words.length) pendingSeparator = ' '
    },
    separate(between) {
      if (pendingSeparator !== '\n') pendingSeparator = between
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
