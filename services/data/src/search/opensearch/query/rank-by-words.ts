import { markEnd, markStart } from '../../../store/search/text/highlight-marks.ts'
import { normalizeText } from '../../rank/proximity-boost.ts'
import { editDistance } from '../../rank/spelling-correction.ts'
import type { Warning } from '../../rank/warning.ts'
import { textFields } from '../index/index-definition.ts'
import { type EngineRequest, filtered } from './engine-request.ts'
import { countWords, findWordsToCorrect, listCountedWords } from './known-words.ts'
import { toRespelledQuery, toStopWordQuery, toWordQuery, type WordQuery, withMatchedWords } from './word-query.ts'
import type { EngineHit, EngineResponse, WorkspaceSearch } from './workspace-search.ts'

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
  const wordQuery = toWordQuery(languages, { ...request, corrections: [] })
  const response = await read(search, request, wordQuery, options, countWords(languages, words, prefix))
  const counted =
    request.hasFilters && mayHaveUnknownWords(response, words) ? await recount(search, request, wordQuery) : response
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
  const corrections = findWordsToCorrect(counted, words)
  if (corrections.length === 0) return { response, counts: counted, wordQuery, warnings: wordsIgnored }
  const corrected = toWordQuery(languages, { ...request, corrections })
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
  totalOf(response) === 0 || findWordsToCorrect(response, words).length > 0

/** Counts the words in all records of the sources. */
const recount = (
  search: WorkspaceSearch,
  { languages, words, prefix, selection }: EngineRequest,
  wordQuery: WordQuery,
) =>
  search.run({
    query: filtered(wordQuery.ranked, [selection]),
    size: 0,
    track_total_hits: true,
    aggs: countWords(languages, words, prefix),
  })

function read(
  search: WorkspaceSearch,
  { languages, filters, minScore, words, prefix }: EngineRequest,
  wordQuery: WordQuery,
  { hasHighlights, hasMatchedWords = false, aggs, ...options }: ReadOptions,
  countAggs: object = {},
): Promise<EngineResponse> {
  const ranked = hasMatchedWords
    ? withMatchedWords(wordQuery.ranked, listCountedWords(languages, words, prefix))
    : wordQuery.ranked
  return search.run({
    query: filtered(ranked, filters),
    track_total_hits: true,
    ...(minScore !== undefined && { min_score: minScore }),
    ...(hasHighlights && { highlight: highlightOptions(languages.sources, wordQuery) }),
    aggs: { ...countAggs, ...(aggs as object | undefined) },
    ...options,
  })
}

/** Snippets of the text, and the whole title, with marks around matching words. */
export function highlightOptions(
  languages: readonly Parameters<typeof textFields>[0][],
  { matches }: Pick<WordQuery, 'matches'>,
): Record<string, unknown> {
  const fields = [...new Set(languages)].map(textFields)
  return {
    type: 'plain',
    fragmenter: 'simple',
    pre_tags: [markStart],
    post_tags: [markEnd],
    require_field_match: false,
    highlight_query: matches,
    fields: {
      ...Object.fromEntries(fields.map(({ title }) => [title, { number_of_fragments: 0 }])),
      ...Object.fromEntries(
        fields.map(({ text }) => [text, { number_of_fragments: 1, fragment_size: 200, no_match_size: 200 }]),
      ),
    },
  }
}

/** Returns the highlighted title and snippet of a hit. */
export function highlightsOf({ highlight = {} }: EngineHit): {
  title: string | undefined
  snippet: string | undefined
} {
  const find = (prefix: string) => Object.entries(highlight).find(([field]) => field.startsWith(prefix))?.[1][0]
  return { title: find('title_'), snippet: find('text_') }
}

const markedPattern = new RegExp(`${markStart}([^${markEnd}]*)${markEnd}`, 'g')

/** Returns the words that were found on a page, as they are written. */
const markedWords = ({ hits }: EngineResponse): string[] => [
  ...new Set(
    hits.hits
      .flatMap(({ highlight = {} }) => Object.values(highlight).flat())
      .flatMap((text) => [...text.matchAll(markedPattern)].map(([, word = '']) => word.toLowerCase())),
  ),
]

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
