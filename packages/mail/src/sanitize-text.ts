/** White space including line breaks, control characters, and characters that change the text direction. */
const controlCharacters = /[\s\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Makes user text safe to embed in a sentence: one line, no control or bidirectional characters. */
export const toSingleLine = (text: string): string => text.replaceAll(controlCharacters, ' ').trim()

/** U+2060, invisible and without width. */
const wordJoiner = '\u2060'

/**
 * Makes user text safe to embed in a mail. Mail programs turn text that looks like an address into a link, so a
 * workspace name could place a link of its author's choice. A word joiner after dots, `:`, `/` and `@` prevents that
 * without changing how the text looks.
 */
export const preventAutolinks = (text: string): string =>
  toSingleLine(text).replaceAll(/[.:/@\u3002\uff0e\uff61](?=\S)/g, `$&${wordJoiner}`)
