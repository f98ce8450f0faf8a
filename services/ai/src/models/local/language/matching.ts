import { meaningOf, synonymsOf } from './vocabulary.ts'
import { isFunctionWord, stemsOf, type Word, wordsOf, wordsOfName } from './words.ts'

/** Letters from which on a word is looked for inside compounds: `vertrag` in `Mietvertrag`. */
const minCompoundLength = 5

/** Returns the meanings of a text. */
export const meaningsIn = (text: string): Set<string> => new Set([...stemsOf(text)].map(meaningOf))

/** Returns the meanings of the name of a field or source, without function words such as `on` in `ends_on`. */
export const meaningsOfName = (name: string): string[] =>
  wordsOfName(name)
    .filter(({ text }) => !isFunctionWord(text))
    .map(({ stem }) => meaningOf(stem))

/** Returns true if the meanings contain that of the word, also as the beginning or end of a compound. */
export function containsWord(meanings: ReadonlySet<string>, { stem }: Word): boolean {
  if (meanings.has(meaningOf(stem))) return true
  if (stem.length < minCompoundLength || /\d/.test(stem)) return false
  for (const other of meanings)
    if (other.length >= minCompoundLength && (isAffix(stem, other) || isAffix(other, stem))) return true
  return false
}

const isAffix = (part: string, whole: string): boolean =>
  whole.length > part.length && (whole.startsWith(part) || whole.endsWith(part))

/** Returns the share of the words that the meanings contain, 0 to 1. */
export const coverageOf = (words: readonly Word[], meanings: ReadonlySet<string>): number =>
  words.length === 0 ? 0 : words.filter((word) => containsWord(meanings, word)).length / words.length

/** Returns a search query: the words of the question, and the other words for them. */
export const searchQueryOf = (words: readonly Word[]): string =>
  [...new Set(words.flatMap(({ text, stem }) => [text, ...synonymsOf(stem)]))].join(' ').slice(0, maxQueryLength)

const maxQueryLength = 1_000

/**
 * Returns true if every word of a value is in the question: `North Tower` in `visitors of North Tower`. An abbreviation
 * such as `IT` must be in capital letters there too.
 */
export function isNamed(value: string, question: readonly Word[]): boolean {
  const all = wordsOf(value)
  const words = all.filter(({ text }) => !isFunctionWord(text))
  if (words.length === 0)
    return value === value.toUpperCase() && all.every(({ text }) => question.some((word) => word.text === text))
  return words.every(({ stem }) => question.some((word) => meaningOf(word.stem) === meaningOf(stem)))
}
