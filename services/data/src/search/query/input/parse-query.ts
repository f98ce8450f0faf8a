import { listSymbolicWords, removeRuns } from '../../../store/search/text/unspaced-text.ts'
import { segmentRuns } from './segment-runs.ts'

export interface ParsedQuery {
  /** All words, including those of phrases. */
  words: string
  /** Word sequences that a hit must contain. */
  phrases: string[]
  /** The last word, if it may be incomplete; null if anything follows it. */
  prefix: string | null
  /** The phrases and what is between them, in order, without words that are written without spaces. */
  parts: string[]
  /** The words that are written without spaces, as in Japanese or Thai. */
  unspacedWords: string[]
  /** Other spellings of words with symbols, such as `cplusplus`. */
  symbolicWords: string[]
}

const minPrefixLength = 2

/** Parses a query. Double quotes (straight or curly) enclose phrases; an unclosed one ends with the query. */
export function parseQuery(text: string): ParsedQuery {
  const written = text.replaceAll(/[“”„«»]/g, '"').split('"')
  const isQuoted = (nth: number) => nth % 2 === 1
  const phrases = written.filter((part, nth) => isQuoted(nth) && part.trim() !== '')
  // The digits behind the point of a number are no word.
  const isNumber = /\d\.\d+$/.test(text)
  const lastWord =
    isQuoted(written.length - 1) || isNumber
      ? undefined
      : /[\p{L}\p{M}\p{N}]+$/u.exec(removeRuns(written.at(-1) ?? ''))?.[0]
  return {
    words: written.join(' '),
    phrases,
    prefix: lastWord !== undefined && lastWord.length >= minPrefixLength ? lastWord : null,
    parts: written.map(removeRuns).filter((part) => part.trim() !== ''),
    unspacedWords: segmentRuns(written),
    symbolicWords: listSymbolicWords(written.join(' ')),
  }
}
