import { type QueryLanguages, toKnownWordQuery, type WordToCorrect } from './word-query.ts'
import type { EngineResponse } from './workspace-search.ts'

/** With more unknown words, the query is about a subject that the records do not cover; see spelling-correction.ts. */
const maxCorrected = 3
/** Words of a longer query are not counted. */
const maxCountedWords = 20

/** Returns the aggregation that counts the documents with each word of a query. */
export function countWords(
  languages: QueryLanguages,
  words: readonly string[],
  prefix: string | null,
): Record<string, unknown> {
  if (words.length === 0 || words.length > maxCountedWords) return {}
  const filters = words.map((word, nth) => [
    String(nth),
    toKnownWordQuery(languages, word, prefix !== null && nth === words.length - 1),
  ])
  return { words: { filters: { filters: Object.fromEntries(filters) } } }
}

/** Returns the words that no document has, if some other word has matched. */
export function findWordsToCorrect({ aggregations }: EngineResponse, words: readonly string[]): WordToCorrect[] {
  const counts = aggregations?.words?.buckets
  if (counts === undefined || Array.isArray(counts)) return []
  const unknown = words.filter((_, nth) => counts[String(nth)]?.doc_count === 0)
  if (unknown.length > maxCorrected) return []
  return unknown.flatMap((form) => {
    const edits = maxEditsOf(form)
    return edits === 0 ? [] : [{ form, edits }]
  })
}

/** One edit in words of 5 letters and more, two from 9 letters on; none in words with digits. */
const maxEditsOf = (form: string): number => (/^[\p{L}\p{M}]{5,}$/u.test(form) ? (form.length >= 9 ? 2 : 1) : 0)
