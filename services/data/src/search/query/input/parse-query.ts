export interface ParsedQuery {
  /** All words, including those of phrases. */
  words: string
  /** Word sequences that a hit must contain. */
  phrases: string[]
  /** The last word, if it may be incomplete; null if anything follows it. */
  prefix: string | null
}

const minPrefixLength = 2

/** Parses a query. Double quotes (straight or curly) enclose phrases; an unclosed one ends with the query. */
export function parseQuery(text: string): ParsedQuery {
  const parts = text.replaceAll(/[“”„«»]/g, '"').split('"')
  const isQuoted = (nth: number) => nth % 2 === 1
  const phrases = parts.filter((part, nth) => isQuoted(nth) && part.trim() !== '')
  const lastWord = isQuoted(parts.length - 1) ? undefined : /[\p{L}\p{M}\p{N}]+$/u.exec(parts.at(-1) ?? '')?.[0]
  return {
    words: parts.join(' '),
    phrases,
    prefix: lastWord !== undefined && lastWord.length >= minPrefixLength ? lastWord : null,
  }
}
