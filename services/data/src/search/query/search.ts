import { invalidField } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { EmbeddingModels } from '../../embeddings/embedding-models.ts'
import { listIndexes } from '../../store/search/list-indexes.ts'
import type { PostingsCache } from '../../store/search/read-postings.ts'
import type { QuantizedVectorCache } from '../index/quantized-vector-cache.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { BufferPool, ScoreBuffers } from '../rank/buffer-pool.ts'
import { rankLexically } from '../rank/lexical-ranking.ts'
import { fuseRankings } from '../rank/reciprocal-rank-fusion.ts'
import { numberDocuments, type SearchedSources } from '../rank/searched-sources.ts'
import { type QueryEmbedding, rankSemantically } from '../rank/semantic-ranking.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchAdmission } from '../session/search-admission.ts'
import type { SearchLimits } from '../session/search-limits.ts'
import { createSearchSession, type SearchSession } from '../session/search-session.ts'
import type { TimeSlices } from '../session/time-slices.ts'
import { assertSourcesExist } from './assert-sources-exist.ts'
import type { SearchResult } from './hit.ts'
import { decodeHitCursor, type HitCursor } from './hit-cursor.ts'
import { type HitPageOptions, readHitPage } from './hit-page.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { resolveEmbedding } from './resolve-embedding.ts'
import type { SearchInput } from './search-input.ts'
import { searchWithoutQuery } from './search-without-query.ts'
import { resolveFields } from './searched-fields.ts'

interface SearchContext {
  database: Pick<Database, 'read'>
  postingsCache: PostingsCache
  bufferPool: BufferPool
  quantizedVectorCache: QuantizedVectorCache
  models: EmbeddingModels
  searchAdmission: SearchAdmission
  searchLimits: SearchLimits
  timeSlices: TimeSlices
}

/** Each phrase is tested on every match of the query. */
const maxPhrases = 10

type InputWithQuery = SearchInput & { query: string }

/**
 * Searches the records of a workspace: ranks documents by words, by meaning or by both, and reads one page of hits.
 * Without a query, lists the records that pass the filters.
 * @throws Problem `validation_failed`, `unknown_reference`, `invalid_cursor`, `embeddings_not_connected`,
 *   `embeddings_unavailable`, `search_timeout`; the reason of the signal
 */
export function search(context: SearchContext, workspaceId: string, input: SearchInput): Promise<SearchResult> {
  const { query } = input
  if (query !== undefined) return searchByQuery(context, workspaceId, { ...input, query })
  return context.searchAdmission.admit(workspaceId, input.signal, (signal) =>
    searchWithoutQuery(createSearchSession(context, workspaceId, signal), input),
  )
}

async function searchByQuery(
  context: SearchContext,
  workspaceId: string,
  input: InputWithQuery,
): Promise<SearchResult> {
  const cursor = input.cursor === undefined ? undefined : decodeHitCursor(input.cursor, input.pointers.cursor)
  const parsed = parseQuery(input.query)
  if (parsed.phrases.length > maxPhrases)
    throw invalidField(input.pointers.query, `must have at most ${maxPhrases} phrases in double quotes`)
  return context.searchAdmission.admit(workspaceId, input.signal, async (signal) => {
    const embedded = await resolveEmbedding(context.models, workspaceId, { ...input, signal }, cursor)
    const session = createSearchSession(context, workspaceId, signal)
    return context.bufferPool.with((buffers) =>
      searchEmbedded({ ...context, buffers }, session, { ...input, parsed, after: cursor }, embedded),
    )
  })
}

/** Searches after the query was embedded, if the mode needs that. */
async function searchEmbedded(
  context: SearchContext & { buffers: ScoreBuffers },
  session: SearchSession,
  input: InputWithQuery & { parsed: ParsedQuery; after: HitCursor | undefined },
  embedded: { embedding: QueryEmbedding | undefined; warnings: Warning[] },
): Promise<SearchResult> {
  await assertSourcesExist(session, input)
  const hasFields = input.filters !== undefined || input.facets !== undefined
  const fields = hasFields ? await resolveFields(session, input) : undefined
  const indexes = await listIndexes(session.query, session.workspaceId, input.language)
  const sources = numberDocuments(indexes, input.dataSourceIds)
  const ranked = await rankDocuments(context, session, sources, input, embedded.embedding)
  const { phrases } = input.parsed
  const options = { ...input, ...ranked, phrases, fields, cursor: input.after }
  const page = await readHitPage(session, sources, ranked.ranking, options)
  const { items, nextCursor, warnings, total, facets } = page
  return {
    items,
    nextCursor,
    meta: {
      mode_used: ranked.mode,
      warnings: [...embedded.warnings, ...(fields?.warnings ?? []), ...ranked.warnings, ...warnings],
      // A semantic ranking contains every embedded document, so its total says nothing.
      ...(ranked.mode === 'lexical' && total !== undefined && { total }),
      ...(facets && { facets }),
    },
  }
}

/** Number of documents of each ranking that are fused; higher if a post-filter will remove some. */
const [fusionDepth, filteredFusionDepth] = [1_000, 10_000]

type Ranked = Pick<HitPageOptions, 'mode' | 'tsquery' | 'nearestSpans'> & { ranking: Ranking; warnings: Warning[] }

/** @param embedding undefined: ranks by words alone */
async function rankDocuments(
  { postingsCache, buffers, quantizedVectorCache }: SearchContext & { buffers: ScoreBuffers },
  session: SearchSession,
  sources: SearchedSources,
  { mode, filters, facets, parsed }: SearchInput & { parsed: ParsedQuery },
  embedding: QueryEmbedding | undefined,
): Promise<Ranked> {
  const lexical = await rankLexically(session, { postingsCache, buffers }, sources, parsed)
  const { tsquery } = lexical
  if (embedding === undefined) return { ...lexical, mode: 'lexical' }
  const semantic = await rankSemantically(session, quantizedVectorCache, sources, embedding)
  if (mode === 'semantic') return { ...semantic, mode, tsquery }
  const hasPostFilter = filters !== undefined || facets !== undefined || parsed.phrases.length > 0
  const depth = hasPostFilter ? filteredFusionDepth : fusionDepth
  const isLexicalMatch = new Uint8Array(sources.maxDoc)
  for (const document of lexical.ranking.documents) isLexicalMatch[document] = 1
  return {
    mode: 'hybrid',
    tsquery,
    ranking: fuseRankings([lexical.ranking, semantic.ranking], sources.maxDoc, depth),
    warnings: [...lexical.warnings, ...semantic.warnings],
    nearestSpans: (documents) => semantic.nearestSpans(documents.filter((document) => isLexicalMatch[document] !== 1)),
  }
}
