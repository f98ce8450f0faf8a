import type { SearchLanguage } from '@wp/contracts'
import type { SearchedFields } from '../../query/filter/searched-fields.ts'
import type { RecordHitCursor } from '../../query/hits/hit-cursor.ts'
import type { QuerySearch } from '../../query/search-engine.ts'
import { extractWords } from '../../rank/proximity-boost.ts'
import { facetPattern, facetValue } from '../index/field-terms.ts'
import { allOf, type EngineQuery, toFilterQueries } from './filter-query.ts'
import { type QueryLanguages, toPhraseQuery } from './word-query.ts'
import type { EngineResponse } from './workspace-search.ts'

/** The parts of a search that its requests to the search engine share. */
export interface EngineRequest {
  languages: QueryLanguages
  /** The query without what exceeds its limits. */
  text: string
  /** Its different words. */
  words: readonly string[]
  hasIgnoredWords: boolean
  prefix: string | null
  /** The selected sources. */
  selection: EngineQuery
  /** Sources, filters and phrases. */
  filters: readonly EngineQuery[]
  hasFilters: boolean
  facets: readonly string[]
  limit: number
  minScore: number | undefined
  after: RecordHitCursor | undefined
}

/** Limits the clauses of a query: a word is searched in two fields of each language. */
const [maxWords, maxWordClauses] = [128, 800]

export function createEngineRequest(
  workspaceId: string,
  { parsed, language, filters, facets = [], limit, minScore, after }: QuerySearch,
  fields: SearchedFields,
): EngineRequest {
  const sources = [...new Set(fields.sources.map((source): SearchLanguage | null => source.language))]
  const languages = { sources, query: language }
  const words = [...new Set(extractWords(parsed.words))]
  const limited = words.slice(0, Math.min(maxWords, Math.floor(maxWordClauses / (2 * Math.max(1, sources.length)))))
  const selection = { terms: { data_source_id: fields.sources.map(({ dataSourceId }) => dataSourceId) } }
  const fieldFilters = toFilterQueries(workspaceId, filters ?? {}, fields)
  const phrases = parsed.phrases.map((phrase) => toPhraseQuery(languages, phrase))
  return {
    languages,
    text: limited.length < words.length ? limited.join(' ') : parsed.words,
    words: limited,
    hasIgnoredWords: limited.length < words.length,
    prefix: parsed.prefix,
    selection,
    filters: [selection, ...fieldFilters, ...phrases],
    hasFilters: fieldFilters.length > 0 || phrases.length > 0,
    facets,
    limit,
    minScore,
    after: after?.engine === 'opensearch' ? after : undefined,
  }
}

/** Returns the options of a search that reads hits in order, after the hit of a cursor. */
export function orderOptions({ after }: EngineRequest, score = after?.score): Record<string, unknown> {
  const sort = [{ _score: 'desc' }, { record_id: 'asc' }]
  return { sort, ...(after !== undefined && { search_after: [score, after.recordId] }) }
}

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
