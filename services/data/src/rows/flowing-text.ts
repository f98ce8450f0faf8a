/** A text that is put together as HTML is shown: white space runs together, blocks break lines. */
export interface FlowingText {
  /** @param isKept whether its white space counts */
  add(piece: string, isKept: boolean): void
  /** Something stands between what was and what comes. */
  gap(between: '\t' | '\n'): void
  isTooLong(): boolean
  text(): string
}

/** @param maxLength in UTF-16 code units; what is longer is no longer kept */
export function createFlowingText(maxLength: number): FlowingText {
  let text = ''
  /** What is due before the next word. */
  let due: '' | ' ' | '\t' | '\n' = ''

  function put(words: string): void {
    if (words === '' || text.length > maxLength) return
    if (text !== '') text += due
    due = ''
    text += words
  }

  return {
    add(piece, isKept) {
      if (isKept) return put(piece)
      const words = piece.replaceAll(/[ \t\n\f\r\u00a0]+/g, ' ')
      const begins = words.startsWith(' ') ? 1 : 0
      const ends = words.endsWith(' ') ? words.length - 1 : words.length
      if (begins === 1 && due === '') due = ' '
      if (ends <= begins) return
      put(words.slice(begins, ends))
      if (ends < words.length) due = ' '
    },
    gap(between) {
      if (due !== '\n') due = between
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
