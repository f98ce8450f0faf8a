import type { SearchLanguage } from '@wp/contracts'
import { hasOnlyStopWords, textSearchConfiguration } from '../../../store/search/text/text-parsing.ts'
import type { SearchedFields } from '../../query/filter/searched-fields.ts'
import type { QuerySearch } from '../../query/search-engine.ts'
import { extractWords } from '../../rank/proximity-boost.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { facetPattern, facetValue } from '../index/field-terms.ts'
import { allOf, type EngineQuery, toFilterQueries } from './filter-query.ts'
import { type QueryLanguages, toPhraseQuery, type WordQueryParts } from './word-query.ts'
import type { EngineResponse } from './workspace-search.ts'

/** The parts of a search that its requests to the search engine share. */
export interface EngineRequest extends WordQueryParts {
  languages: QueryLanguages
  hasIgnoredWords: boolean
  /** Asks the database, which knows the stop words of every language. */
  hasOnlyStopWords(): Promise<boolean>
  /** The selected sources. */
  selection: EngineQuery
  /** Sources, filters and phrases. */
  filters: readonly EngineQuery[]
  hasFilters: boolean
  facets: readonly string[]
  limit: number
  minScore: number | undefined
}

/** Limits the clauses of a query: a word is searched in two fields of each language. */
const [maxWords, maxUnspacedWords, maxWordClauses] = [128, 32, 800]

export function createEngineRequest(
  { query, workspaceId }: SearchSession,
  { parsed, language, filters, facets = [], limit, minScore }: QuerySearch,
  fields: SearchedFields,
): EngineRequest {
  const sources = [...new Set(fields.sources.map((source): SearchLanguage | null => source.language))]
  const languages = { sources, query: language }
  const text = parsed.parts.join(' ')
  const words = [...new Set(extractWords(text))]
  const limited = words.slice(0, Math.min(maxWords, Math.floor(maxWordClauses / (2 * Math.max(1, sources.length)))))
  const selection = { terms: { data_source_id: fields.sources.map(({ dataSourceId }) => dataSourceId) } }
  const fieldFilters = toFilterQueries(workspaceId, filters ?? {}, fields)
  const phrases = parsed.phrases.map(toPhraseQuery)
  return {
    languages,
    text: limited.length < words.length ? limited.join(' ') : text,
    words: limited,
    hasIgnoredWords: limited.length < words.length || parsed.unspacedWords.length > maxUnspacedWords,
    hasOnlyStopWords: async () =>
      text.trim() !== '' &&
      hasOnlyStopWords(query, (language ? [language] : sources).map(textSearchConfiguration), text),
    prefix: parsed.prefix,
    phrases: parsed.phrases,
    unspacedWords: parsed.unspacedWords.slice(0, maxUnspacedWords),
    symbolicWords: parsed.symbolicWords,
    selection,
    filters: [selection, ...fieldFilters, ...phrases],
    hasFilters: fieldFilters.length > 0 || phrases.length > 0,
    facets,
    limit,
    minScore,
  }
}

/** The order of hits. */
export const order = { sort: [{ _score: 'desc' }, { record_id: 'asc' }] }

const maxFacetValues = 10

/** Returns aggregations that count the values of facets; read by `facetsOf`. */
export function facetAggregations(workspaceId: string, facets: readonly string[]): Record<string, unknown> {
  const order = [{ _count: 'desc' }, { _key: 'asc' }]
  const options = { field: 'facets', size: maxFacetValues, execution_hint: 'map', order }
  return Object.fromEntries(
    facets.map((field, nth) => [`facet${nth}`, { terms: { ...options, include: facetPattern(workspaceId, field) } }]),
  )
}

export function facetsOf({ aggregations }: EngineResponse, facets: readonly string[] | undefined) {
  if (facets === undefined) return undefined
  return Object.fromEntries(
    facets.map((field, nth) => {
      const buckets = aggregations?.[`facet${nth}`]?.buckets
      const values = Array.isArray(buckets) ? buckets : []
      return [field, values.map(({ key, doc_count: count }) => ({ value: facetValue(key), count }))]
    }),
  )
}

/** Returns a query restricted by filters, which do not change its scores. */
export const filtered = (query: EngineQuery, filters: readonly EngineQuery[]): EngineQuery => ({
  bool: { must: [query], filter: filters.length === 0 ? [] : [allOf(filters)] },
})
