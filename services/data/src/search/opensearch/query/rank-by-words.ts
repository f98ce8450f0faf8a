import { normalizeText } from '../../rank/proximity-boost.ts'
import { editDistance } from '../../rank/spelling-correction.ts'
import type { Warning } from '../../rank/warning.ts'
import { type EngineRequest, filtered, order } from './engine-request.ts'
import type { EngineQuery } from './filter-query.ts'
import { highlightOptions, markedWords } from './highlights.ts'
import { countWords, findUncounted, findUnknownWords, listCountedWords, toCorrections } from './known-words.ts'
import { toRespelledQuery, toStopWordQuery, toWordQuery, type WordQuery, withMatchedWords } from './word-query.ts'
import type { EngineResponse, WorkspaceSearch } from './workspace-search.ts'

export interface RankedByWords {
  response: EngineResponse
  /** The response with the counts of the words of the query. */
  counts: EngineResponse
  /** The query for the words that were searched. */
  wordQuery: WordQuery
  warnings: Warning[]
}

/** Options of the request that reads the hits. */
interface ReadOptions {
  size: number
  hasHighlights: boolean
  /** True if hits say which words of the query they have. */
  hasMatchedWords?: boolean
  [option: string]: unknown
}

/** Further words are not respelled: a longer query without any known word is not a typing mistake. */
const maxRespelled = 3
/** Numbers, and very short words, resemble too many others. */
const isRespelled = (word: string): boolean => /^[\p{L}\p{M}]{3,}$/u.test(word)

/** Ranks documents by the words of a query. Words without a match are corrected, which a warning reports. */
export async function rankByWords(
  search: WorkspaceSearch,
  request: EngineRequest,
  options: ReadOptions,
): Promise<RankedByWords> {
  const { languages, words, prefix } = request
  const wordsIgnored = request.hasIgnoredWords ? [wordsIgnoredWarning] : []
  const wordQuery = toWordQuery(languages, request)
  // A page shows most of its words; only a ranking without highlights counts them all.
  const counts = options.hasHighlights ? {} : countWords(languages, words, prefix)
  const response = await read(search, request, wordQuery, options, counts)
  const isCounted = !options.hasHighlights || totalOf(response) === 0
  const counted =
    isCounted && request.hasFilters && mayHaveUnknownWords(response, words)
      ? await recount(search, request, wordQuery)
      : response
  if (totalOf(counted) === 0) {
    if (await request.hasOnlyStopWords()) {
      const stopWords = toStopWordQuery(request.text)
      return {
        response: await read(search, request, stopWords, options),
        counts: counted,
        wordQuery: stopWords,
        warnings: wordsIgnored,
      }
    }
    const respelled = toRespelledQuery(languages, words.filter(isRespelled).slice(0, maxRespelled))
    const found = await read(search, request, respelled, { ...options, hasHighlights: true })
    if (totalOf(found) === 0) return { response, counts: counted, wordQuery, warnings: wordsIgnored }
    const warning = respelledWarning(found, words, noWordMatches)
    return { response: found, counts: counted, wordQuery: respelled, warnings: [warning, ...wordsIgnored] }
  }
  const corrections = toCorrections(
    isCounted ? findUncounted(counted, words) : await findUnknownWords(search, request, markedWords(response)),
  )
  if (corrections.length === 0) return { response, counts: counted, wordQuery, warnings: wordsIgnored }
  const corrected = toWordQuery(languages, request, corrections)
  const found = await read(search, request, corrected, { ...options, hasHighlights: true })
  const added =
    totalOf(found) > totalOf(response) ||
    markedWords(found).some((word) =>
      isSimilar(
        word,
        corrections.map(({ form }) => form),
      ),
    )
  if (!added) return { response, counts: counted, wordQuery, warnings: wordsIgnored }
  const warning = respelledWarning(
    found,
    corrections.map(({ form }) => form),
    someWordsMatch,
  )
  return { response: found, counts: counted, wordQuery: corrected, warnings: [warning, ...wordsIgnored] }
}

export const totalOf = ({ hits }: EngineResponse): number => hits.total?.value ?? 0

/** Returns true if a word occurs in no document that passes the filters; perhaps in others. */
const mayHaveUnknownWords = (response: EngineResponse, words: readonly string[]): boolean =>
  totalOf(response) === 0 || toCorrections(findUncounted(response, words)).length > 0

/** Counts the words in all records of the sources. */
const recount = (
  search: WorkspaceSearch,
  { languages, words, prefix, selection }: EngineRequest,
  wordQuery: WordQuery,
) =>
  search.run({
    query: filtered(wordQuery.matches, [selection]),
    size: 0,
    track_total_hits: true,
    aggs: countWords(languages, words, prefix),
  })

function read(
  search: WorkspaceSearch,
  request: EngineRequest,
  wordQuery: WordQuery,
  { hasHighlights, hasMatchedWords = false, aggs, ...options }: ReadOptions,
  countAggs: object = {},
): Promise<EngineResponse> {
  const { languages, words, prefix } = request
  const matches = hasMatchedWords
    ? withMatchedWords(wordQuery.matches, listCountedWords(languages, words, prefix))
    : wordQuery.matches
  return search.run({
    ...rankingOf({ ...wordQuery, matches }, request),
    track_total_hits: true,
    ...(hasHighlights && { highlight: highlightOptions(languages.sources, wordQuery) }),
    aggs: { ...countAggs, ...(aggs as object | undefined) },
    ...options,
  })
}

/** Number of documents that are boosted, as PostgreSQL does; boosts of all matches cost as much as the rest. */
const maxBoosted = 50

/**
 * Returns the part of a request that ranks the matches of a query which pass the filters.
 * @param minScore compared with boosted scores, so it requires boosts of all documents
 */
export function rankingOf(
  { matches, boosts }: WordQuery,
  { filters, minScore }: { filters: readonly EngineQuery[]; minScore?: number | undefined },
): { query: EngineQuery; [option: string]: unknown } {
  if (minScore !== undefined)
    return { query: filtered({ bool: { must: [matches], should: boosts } }, filters), min_score: minScore, ...order }
  const query = filtered(matches, filters)
  if (boosts.length === 0) return { query, ...order }
  return { query, rescore: { window_size: maxBoosted, query: { rescore_query: { bool: { should: boosts } } } } }
}

/** Inflections may differ by more than the words themselves. */
const maxDifference = 4

const isSimilar = (word: string, forms: readonly string[]): boolean =>
  forms.some(
    (form) =>
      editDistance(normalizeText(word), normalizeText(form)) <= maxDifference &&
      normalizeText(word)[0] === normalizeText(form)[0],
  )

const noWordMatches = 'No word of the query matches; the search used similarly spelled words instead'
const someWordsMatch = 'Some words of the query do not match; the search also used similarly spelled words'

function respelledWarning(found: EngineResponse, forms: readonly string[], message: string): Warning {
  const words = markedWords(found)
  const similar = words.filter((word) => isSimilar(word, forms))
  const named = (similar.length > 0 ? similar : words).slice(0, 10)
  return { code: 'respelled', message: named.length === 0 ? message : `${message}: ${named.join(', ')}` }
}

const wordsIgnoredWarning: Warning = {
  code: 'words_ignored',
  message:
    'A search uses the first 128 different words of the query, or fewer if its data sources have several languages',
}
