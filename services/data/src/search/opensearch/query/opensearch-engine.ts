import { listEmbeddedSources } from '../../../store/embeddings/chunk-vectors.ts'
import { resolveFields, type SearchedFields } from '../../query/filter/searched-fields.ts'
import type { SearchResult } from '../../query/hits/hit.ts'
import { assertSourcesExist } from '../../query/input/assert-sources-exist.ts'
import type { QuerySearch, SearchEngine } from '../../query/search-engine.ts'
import { pendingWarning, type QueryEmbedding } from '../../rank/semantic-ranking.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { OpenSearchClient } from '../client/opensearch-client.ts'
import { type RankedRecord, readEnginePage } from './engine-page.ts'
import {
  createEngineRequest,
  type EngineRequest,
  facetAggregations,
  facetsOf,
  filtered,
  orderOptions,
} from './engine-request.ts'
import { anyOf } from './filter-query.ts'
import { fuseHits } from './fuse-hits.ts'
import { fromCosine, inSpace, rankByMeaning } from './rank-by-meaning.ts'
import { highlightOptions, highlightsOf, rankByWords, totalOf } from './rank-by-words.ts'
import { toWordQuery } from './word-query.ts'
import { createWorkspaceSearch, type WorkspaceSearch } from './workspace-search.ts'

interface EngineOptions {
  client: OpenSearchClient
  /** The name of the index. */
  alias: string
  /** Limit of each request. */
  timeoutMs: number
}

/** The resources of the steps of one search. */
interface Steps {
  session: SearchSession
  search: WorkspaceSearch
  input: QuerySearch
  request: EngineRequest
  fields: SearchedFields
}

interface Ranked {
  mode: 'lexical' | 'semantic' | 'hybrid'
  records: RankedRecord[]
  warnings: Warning[]
  total?: number
  facets?: ReturnType<typeof facetsOf>
}

/** Creates the engine that searches an index of OpenSearch; see docs/decisions/search-engine.md. */
export const createOpenSearchEngine = ({ client, alias, timeoutMs }: EngineOptions): SearchEngine => ({
  async search(session, input) {
    await assertSourcesExist(session, input)
    const fields = await resolveFields(session, input)
    const { workspaceId, signal } = session
    const search = createWorkspaceSearch(client, workspaceId, { alias, signal, timeoutMs })
    const request = createEngineRequest(workspaceId, input, fields)
    const steps = { session, search, input, request, fields }
    if (input.embedding === undefined) return toResult(steps, await searchByWords(steps))
    const embedding = input.embedding
    const ranked = input.mode === 'semantic' ? searchByMeaning(steps, embedding) : searchByBoth(steps, embedding)
    return toResult(steps, await ranked)
  },
})

async function toResult({ session, input, request, fields }: Steps, ranked: Ranked): Promise<SearchResult> {
  const { mode, records, total, facets, warnings } = ranked
  const { limit, highlight, hasData } = input
  const page = await readEnginePage(session, records, {
    mode,
    limit,
    highlight,
    hasData,
    depth: request.after?.shown ?? 0,
  })
  return {
    items: page.items,
    nextCursor: page.nextCursor,
    meta: {
      mode_used: mode,
      warnings: [...input.embeddingWarnings, ...fields.warnings, ...warnings, ...page.warnings],
      ...(total !== undefined && { total }),
      ...(facets && { facets }),
    },
  }
}

async function searchByWords({ session, search, input, request }: Steps): Promise<Ranked> {
  const aggs = facetAggregations(session.workspaceId, request.facets)
  const options = { size: request.limit + 1, hasHighlights: true, aggs, ...orderOptions(request) }
  const { response, warnings } = await rankByWords(search, request, options)
  const records = response.hits.hits.map((hit) => ({ recordId: hit._id, score: hit._score ?? 0, ...highlightsOf(hit) }))
  return { mode: 'lexical', records, warnings, total: totalOf(response), facets: facetsOf(response, input.facets) }
}

async function searchByMeaning(steps: Steps, embedding: QueryEmbedding): Promise<Ranked> {
  const { session, search, request } = steps
  const { after, limit, minScore } = request
  const { documents, warnings } = await readEmbeddedSources(steps, embedding)
  const nearest = await rankByMeaning(search, session.workspaceId, request, embedding, {
    size: limit + 1,
    depth: after?.shown ?? 0,
    documents,
    ...orderOptions(request, after && fromCosine(after.score)),
    ...(minScore !== undefined && { min_score: fromCosine(minScore) }),
  })
  const records = nearest.map(({ recordId, similarity, span }) => ({ recordId, score: similarity, span }))
  return {
    mode: 'semantic',
    records,
    warnings,
    ...(await countFacets(steps, embedding)),
  }
}

/** Number of hits of each ranking that are fused. */
const fusionDepth = 1_000

async function searchByBoth(steps: Steps, embedding: QueryEmbedding): Promise<Ranked> {
  const { session, search, request } = steps
  const { languages, limit, after, minScore = 0 } = request
  const unlimited = { ...request, minScore: undefined, after: undefined }
  const order = orderOptions(unlimited)
  const options = { size: fusionDepth, hasHighlights: false, ...order }
  const { response, wordQuery, warnings } = await rankByWords(search, unlimited, options)
  const embedded = await readEmbeddedSources(steps, embedding)
  const nearest = await rankByMeaning(search, session.workspaceId, request, embedding, {
    size: fusionDepth,
    depth: 0,
    documents: embedded.documents,
    ...order,
  })
  const lexical = response.hits.hits.map(({ _id }) => _id)
  const fused = fuseHits([lexical, nearest.map(({ recordId }) => recordId)])
  const page = fused
    .filter(
      ({ score, recordId }) =>
        after === undefined || score < after.score || (score === after.score && recordId > after.recordId),
    )
    .filter(({ score }) => score >= minScore)
    .slice(0, limit + 1)
  const isLexical = new Set(lexical)
  const spans = new Map(nearest.map(({ recordId, span }) => [recordId, span]))
  const found = page.map(({ recordId }) => recordId).filter((id) => isLexical.has(id))
  const highlight = highlightOptions(languages.sources, wordQuery)
  const marked =
    found.length === 0
      ? []
      : (await search.run({ query: { ids: { values: found } }, size: found.length, highlight })).hits.hits
  const highlights = new Map(marked.map((hit) => [hit._id, highlightsOf(hit)]))
  const records = page.map((record) => ({
    ...record,
    ...(highlights.get(record.recordId) ?? { span: spans.get(record.recordId) }),
  }))
  const facets = await countFacets(steps, embedding)
  return { mode: 'hybrid', records, warnings: [...warnings, ...embedded.warnings], ...facets }
}

/** Counts facets over what either ranking contains: every embedded record, and those with the words. */
async function countFacets(
  { session, search, input, request }: Steps,
  { space }: QueryEmbedding,
): Promise<Pick<Ranked, 'facets'>> {
  if (input.facets === undefined) return {}
  const { languages, text, words, prefix, filters, facets } = request
  const matched =
    input.mode === 'semantic' ? [] : [toWordQuery(languages, { text, words, prefix, corrections: [] }).ranked]
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
