import { inverseDocumentFrequency } from '../../rank/bm25.ts'
import { normalizeText } from '../../rank/proximity-boost.ts'
import { rankingPolicy } from '../../rank/ranking-policy.ts'
import { type EngineRequest, filtered } from './engine-request.ts'
import type { EngineQuery } from './filter-query.ts'
import { type QueryLanguages, toKnownWordQuery, type WordToCorrect } from './word-query.ts'
import type { EngineResponse, WorkspaceSearch } from './workspace-search.ts'

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
  const filters = listCountedWords(languages, words, prefix)
  if (filters.length === 0) return {}
  return { words: { filters: { filters: Object.fromEntries(filters) } } }
}

/** Returns the queries that tell which of the counted words a hit has, by the names of their counts. */
export const listCountedWords = (
  languages: QueryLanguages,
  words: readonly string[],
  prefix: string | null,
): [string, EngineQuery][] =>
  words.length > maxCountedWords
    ? []
    : words.map((word, nth) => [
        String(nth),
        toKnownWordQuery(languages, word, prefix !== null && nth === words.length - 1),
      ])

/**
 * Returns the score that a hit with the whole query would have, from the words that the best hit has: a word that
 * occurs once gives 1 / (k1 + 1) of its highest score. Rare words count more.
 * @param counts the response with the counts of the words
 * @param documents number of documents of the searched sources
 */
export function maxScoreOf({ hits }: EngineResponse, counts: EngineResponse, documents: number): number {
  const [best] = hits.hits
  const buckets = Object.entries(counts.aggregations?.words?.buckets ?? {})
  const weights = buckets.map(([name, { doc_count: count }]) => ({
    name,
    idf: inverseDocumentFrequency(documents, count),
  }))
  const sum = (some: typeof weights) => some.reduce((total, { idf }) => total + idf, 0)
  const whole = sum(weights)
  const matched = sum(weights.filter(({ name }) => best?.matched_queries?.includes(name)))
  const share = whole === 0 ? uncountedShare : Math.max(minShare, matched / whole)
  return ((best?._score ?? 0) * (rankingPolicy.k1 + 1)) / share
}

/** The share of a longer query, and of one of which other spellings match. */
const [uncountedShare, minShare] = [0.5, 0.1]

/** Returns the words that no document has, by their counts. */
export function findUncounted({ aggregations }: EngineResponse, words: readonly string[]): string[] {
  const counts = aggregations?.words?.buckets
  if (counts === undefined || Array.isArray(counts)) return []
  return words.filter((_, nth) => counts[String(nth)]?.doc_count === 0)
}

/**
 * Returns the words that no record of the sources has, if a page of hits was found. A word that is marked on the page
 * is known; only others are looked up, as far as they could be corrected.
 * @param marked the marked words of the page
 */
export async function findUnknownWords(
  search: WorkspaceSearch,
  { languages, words, prefix, selection }: Pick<EngineRequest, 'languages' | 'words' | 'prefix' | 'selection'>,
  marked: readonly string[],
): Promise<string[]> {
  const forms = new Set(marked.map(normalizeText))
  const unseen = listCountedWords(languages, words, prefix).flatMap(([name, query]) => {
    const word = words[Number(name)] ?? ''
    return forms.has(normalizeText(word)) ? [] : [{ word, query }]
  })
  if (unseen.every(({ word }) => maxEditsOf(word) === 0)) return []
  const isKnown = await Promise.all(
    unseen.map(async ({ query }) => {
      // The first record decides: a common word costs no more than a rare one.
      const options = { size: 0, track_total_hits: true, terminate_after: 1 }
      const { hits } = await search.run({ query: filtered(query, [selection]), ...options })
      return (hits.total?.value ?? 0) > 0
    }),
  )
  return unseen.flatMap(({ word }, nth) => (isKnown[nth] === true ? [] : [word]))
}

/** Returns the corrections of words that no document has, if some other word has matched. */
export function toCorrections(unknown: readonly string[]): WordToCorrect[] {
  if (unknown.length > maxCorrected) return []
  return unknown.flatMap((form) => {
    const edits = maxEditsOf(form)
    return edits === 0 ? [] : [{ form, edits }]
  })
}

/** One edit in words of 5 letters and more, two from 9 letters on; none in words with digits. */
const maxEditsOf = (form: string): number => (/^[\p{L}\p{M}]{5,}$/u.test(form) ? (form.length >= 9 ? 2 : 1) : 0)
