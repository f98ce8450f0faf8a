/** What was asked, taken apart. */
export interface ParsedQuery {
  /** All words, those of phrases too. */
  words: string
  /** What must be there word by word. */
  phrases: string[]
  /** The last word, where it may still be being typed. */
  prefix: string | null
}

const minPrefixLength = 2

/** Reads a query: text, in which double quotes (straight or curly) surround phrases. One left open closes at the end. */
export function parseQuery(text: string): ParsedQuery {
  const parts = text.replaceAll(/[“”„«»]/g, '"').split('"')
  const isQuoted = (place: number) => place % 2 === 1
  const phrases = parts.filter((part, place) => isQuoted(place) && part.trim() !== '')
  const last = isQuoted(parts.length - 1) ? undefined : /[\p{L}\p{M}\p{N}]+$/u.exec(parts.at(-1) ?? '')?.[0]
  return {
    words: parts.join(' '),
    phrases,
    prefix: last !== undefined && last.length >= minPrefixLength ? last : null,
  }
}
