import { listIndexes } from '../../store/search/list-indexes.ts'
import type { PostingsCache } from '../../store/search/read-postings.ts'
import type { QuantizedVectorCache } from '../index/quantized-vector-cache.ts'
import { resolveFields } from '../query/filter/searched-fields.ts'
import { type HitPageOptions, readHitPage } from '../query/hits/hit-page.ts'
import { assertSourcesExist } from '../query/input/assert-sources-exist.ts'
import type { QuerySearch, SearchEngine } from '../query/search-engine.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import { rankLexically } from '../rank/lexical-ranking.ts'
import type { BufferPool, ScoreBuffers } from '../rank/postings/buffer-pool.ts'
import { fuseRankings } from '../rank/reciprocal-rank-fusion.ts'
import { numberDocuments, type SearchedSources } from '../rank/searched-sources.ts'
import { rankSemantically } from '../rank/semantic-ranking.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchSession } from '../session/search-session.ts'

interface PostgresEngineOptions {
  postingsCache: PostingsCache
  bufferPool: BufferPool
  quantizedVectorCache: QuantizedVectorCache
}

type Resources = Omit<PostgresEngineOptions, 'bufferPool'> & { buffers: ScoreBuffers }

/** Creates the engine that ranks by the index in PostgreSQL; see docs/decisions/search-index.md. */
export const createPostgresEngine = ({ bufferPool, ...options }: PostgresEngineOptions): SearchEngine => ({
  search: (session, request) => bufferPool.with((buffers) => search({ ...options, buffers }, session, request)),
})

async function search(resources: Resources, session: SearchSession, request: QuerySearch) {
  await assertSourcesExist(session, request)
  const hasFields = request.filters !== undefined || request.facets !== undefined
  const fields = hasFields ? await resolveFields(session, request) : undefined
  const indexes = await listIndexes(session.query, session.workspaceId, request.language)
  const sources = numberDocuments(indexes, request.dataSourceIds)
  const ranked = await rankDocuments(resources, session, sources, request)
  const { phrases } = request.parsed
  const position =
    request.after?.engine === 'postgres' ? { cursor: request.after, skip: 0 } : { skip: request.after?.shown ?? 0 }
  const options = { ...request, ...ranked, phrases, fields, cursor: undefined, ...position }
  const { items, nextCursor, warnings, total, facets } = await readHitPage(session, sources, ranked.ranking, options)
  return {
    items,
    nextCursor,
    meta: {
      mode_used: ranked.mode,
      warnings: [...request.embeddingWarnings, ...(fields?.warnings ?? []), ...ranked.warnings, ...warnings],
      // A semantic ranking contains every embedded document, so its total says nothing.
      ...(ranked.mode === 'lexical' && total !== undefined && { total }),
      ...(facets && { facets }),
    },
  }
}

/** Number of documents of each ranking that are fused; higher if a post-filter will remove some. */
const [fusionDepth, filteredFusionDepth] = [1_000, 10_000]

type Ranked = Pick<HitPageOptions, 'mode' | 'tsquery' | 'nearestSpans'> & { ranking: Ranking; warnings: Warning[] }

async function rankDocuments(
  { postingsCache, buffers, quantizedVectorCache }: Resources,
  session: SearchSession,
  sources: SearchedSources,
  { mode, filters, facets, parsed, embedding }: QuerySearch,
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
