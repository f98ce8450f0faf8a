import { listEmbeddedSources } from '../../../store/embeddings/chunk-vectors.ts'
import type { SearchedFields } from '../../query/filter/searched-fields.ts'
import { depthReached, maxDepth } from '../../query/hits/hit-cursor.ts'
import type { QuerySearch } from '../../query/search-engine.ts'
import { fuseScores } from '../../rank/fuse-scores.ts'
import { pendingWarning, type QueryEmbedding } from '../../rank/semantic-ranking.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { type EngineRequest, facetAggregations, facetsOf, filtered, order } from './engine-request.ts'
import type { EngineHighlight } from './engine-rows.ts'
import { anyOf, type EngineQuery } from './filter-query.ts'
import { highlightsOf } from './highlights.ts'
import { maxScoreOf } from './known-words.ts'
import { fromCosine, inSpace, rankByMeaning } from './rank-by-meaning.ts'
import { rankByWords, rankingOf, totalOf } from './rank-by-words.ts'
import { toWordQuery, type WordQuery } from './word-query.ts'
import type { EngineResponse, WorkspaceSearch } from './workspace-search.ts'

/** The resources of the steps of one search. */
export interface Steps {
  session: SearchSession
  search: WorkspaceSearch
  input: QuerySearch
  request: EngineRequest
  fields: SearchedFields
}

/** The records of a ranking, best first, with highlights as far as they are known. */
export interface RankedRecords {
  mode: QuerySearch['mode']
  records: ({ recordId: string; score: number } & EngineHighlight)[]
  /** True if the ranking has more records. */
  isCut: boolean
  /** Matches the words to mark; undefined in a ranking by meaning. */
  marks: EngineQuery | undefined
  warnings: Warning[]
  total?: number
  facets?: ReturnType<typeof facetsOf>
}

/** The number of records of a first page, or of all pages, which the second one stores. */
type Depth = 'page' | 'all'

export function rankRecords(steps: Steps, depth: Depth): Promise<RankedRecords> {
  const { input } = steps
  if (input.embedding === undefined) return searchByWords(steps, depth)
  return input.mode === 'semantic'
    ? searchByMeaning(steps, input.embedding, depth)
    : searchByBoth(steps, input.embedding, depth)
}

async function searchByWords({ session, search, input, request }: Steps, depth: Depth): Promise<RankedRecords> {
  const aggs = facetAggregations(session.workspaceId, request.facets)
  const options = { size: request.limit, hasHighlights: true, aggs }
  const { response, wordQuery, warnings } = await rankByWords(search, request, options)
  const all = depth === 'page' ? response : await rankAll(search, request, wordQuery)
  return {
    mode: 'lexical',
    records: all.hits.hits.map((hit) => ({ recordId: hit._id, score: hit._score ?? 0, ...highlightsOf(hit) })),
    isCut: totalOf(response) > all.hits.hits.length,
    marks: wordQuery.matches,
    warnings,
    total: totalOf(response),
    facets: facetsOf(response, input.facets),
  }
}

const rankAll = (search: WorkspaceSearch, request: EngineRequest, wordQuery: WordQuery): Promise<EngineResponse> =>
  search.run({ ...rankingOf(wordQuery, request), size: maxDepth, track_total_hits: false })

async function searchByMeaning(steps: Steps, embedding: QueryEmbedding, depth: Depth): Promise<RankedRecords> {
  const { session, search, request } = steps
  const { limit, minScore } = request
  const { documents, warnings } = await readEmbeddedSources(steps, embedding)
  const size = depth === 'page' ? limit + 1 : maxDepth
  const nearest = await rankByMeaning(search, session.workspaceId, request, embedding, {
    size,
    documents,
    hasSpans: depth === 'page',
    ...order,
    ...(minScore !== undefined && { min_score: fromCosine(minScore) }),
  })
  return {
    mode: 'semantic',
    records: nearest.map(({ recordId, similarity, span }) => ({ recordId, score: similarity, span })),
    isCut: nearest.length === size,
    marks: undefined,
    warnings,
    ...(await countFacets(steps, embedding)),
  }
}

/** Number of hits of each ranking that are fused. */
const fusionDepth = 1_000

async function searchByBoth(steps: Steps, embedding: QueryEmbedding, depth: Depth): Promise<RankedRecords> {
  const { session, search, request } = steps
  const { limit, minScore = 0 } = request
  const unlimited = { ...request, minScore: undefined }
  const options = { size: fusionDepth, hasHighlights: false, hasMatchedWords: true }
  const { response, counts, wordQuery, warnings } = await rankByWords(search, unlimited, options)
  const embedded = await readEmbeddedSources(steps, embedding)
  const nearest = await rankByMeaning(search, session.workspaceId, request, embedding, {
    size: fusionDepth,
    documents: embedded.documents,
    hasSpans: false,
    ...order,
  })
  const hits = response.hits.hits.map(({ _id, _score }) => [_id, _score ?? 0] as const)
  const similarities = nearest.map(({ recordId, similarity }) => [recordId, similarity] as const)
  const maxScore = maxScoreOf(response, counts, embedded.documents)
  const fused = [...fuseScores({ hits, maxScore }, similarities)]
    .map(([recordId, score]) => ({ recordId, score }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || (a.recordId < b.recordId ? -1 : 1))
  return {
    mode: 'hybrid',
    records: depth === 'page' ? fused.slice(0, limit + 1) : fused,
    isCut: false,
    marks: wordQuery.matches,
    warnings: [...warnings, ...embedded.warnings],
    ...(await countFacets(steps, embedding)),
  }
}

/** The warning at the end of all pages of a ranking. */
export const endWarningOf = ({ isCut }: RankedRecords): { endWarning?: Warning } =>
  isCut ? { endWarning: depthReached } : {}

/** Counts facets over what either ranking contains: every embedded record, and those with the words. */
async function countFacets(
  { session, search, input, request }: Steps,
  { space }: QueryEmbedding,
): Promise<Pick<RankedRecords, 'facets'>> {
  if (input.facets === undefined) return {}
  const { languages, filters, facets } = request
  const matched = input.mode === 'semantic' ? [] : [toWordQuery(languages, request).matches]
  const query = filtered(anyOf([inSpace(space), ...matched]), filters)
  const response = await search.run({ query, size: 0, aggs: facetAggregations(session.workspaceId, facets) })
  return { facets: facetsOf(response, input.facets) }
}

/** Returns the number of documents of the searched sources, and a warning if some of them are not embedded yet. */
async function readEmbeddedSources(
  { session, fields }: Steps,
  { space }: QueryEmbedding,
): Promise<{ documents: number; warnings: Warning[] }> {
  const selected = new Set(fields.sources.map(({ dataSourceId }) => dataSourceId))
  const embedded = await listEmbeddedSources(session.query, session.workspaceId, space)
  const sources = embedded.filter(({ dataSourceId }) => selected.has(dataSourceId))
  const pending = sum(sources.map(({ pendingDocuments }) => pendingDocuments))
  return {
    documents: sum(sources.map(({ documents }) => documents)),
    warnings: pending === 0 ? [] : [pendingWarning(pending)],
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
