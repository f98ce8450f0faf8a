/** What was asked, taken apart. */
export interface SearchQuery {
  /** All words, those of phrases too. */
  words: string
  /** What must be there word by word. */
  phrases: string[]
  /** The last word, where it may still be being typed. */
  beginning: string | null
}

const shortestBeginning = 2

/** Reads a query: text, in which double quotes (straight or curly) surround phrases. One left open closes at the end. */
export function parseQuery(text: string): SearchQuery {
  const parts = text.replaceAll(/[“”„«»]/g, '"').split('"')
  const isQuoted = (place: number) => place % 2 === 1
  const phrases = parts.filter((part, place) => isQuoted(place) && part.trim() !== '')
  const last = isQuoted(parts.length - 1) ? undefined : /[\p{L}\p{M}\p{N}]+$/u.exec(parts.at(-1) ?? '')?.[0]
  return {
    words: parts.join(' '),
    phrases,
    beginning: last !== undefined && last.length >= shortestBeginning ? last : null,
  }
}
