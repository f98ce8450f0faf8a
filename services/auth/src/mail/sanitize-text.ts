/** Ends of lines and whatever else is no character of a text, and what turns the direction of what follows around. */
const controlCharacters = /[\s\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** What somebody else wrote, to stand within a sentence of ours: on one line, and over with itself. */
export const toSingleLine = (text: string): string => text.replaceAll(controlCharacters, ' ').trim()

/** U+2060, which takes no room. */
const wordJoiner = '\u2060'

/**
 * The same for a mail: programs make links of what looks like an address, and the first link that somebody sees of us
 * shall not be where whoever named a workspace would like them to go. It looks as it was written.
 */
export const preventAutolinks = (text: string): string =>
  toSingleLine(text).replaceAll(/[.:/@](?=\S)/g, `$&${wordJoiner}`)
