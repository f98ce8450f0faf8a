import type { PostingsCache } from '../../store/search/read-postings.ts'
import type { QuantizedVectorCache } from '../index/quantized-vector-cache.ts'
import { createDocumentFilter, postFilter } from '../query/filter/post-filter.ts'
import { resolveFields, type SearchedFields } from '../query/filter/searched-fields.ts'
import { metaOf } from '../query/hits/hit.ts'
import { splitEnds } from '../query/hits/hit-cursor.ts'
import { needsPostFilter, readHitPage, withMinScore } from '../query/hits/hit-page.ts'
import { markedWordsOf } from '../query/hits/mark-words.ts'
import { createRowReader, type RowOptions } from '../query/hits/read-rows.ts'
import type { QuerySearch, SearchEngine } from '../query/search-engine.ts'
import { createView, findView, type ResultView, readViewPage } from '../query/view/view-page.ts'
import type { LexicalRanking, Ranking } from '../rank/bm25-ranking.ts'
import { fuseScores } from '../rank/fuse-scores.ts'
import { rankLexically } from '../rank/lexical-ranking.ts'
import type { BufferPool, ScoreBuffers } from '../rank/postings/buffer-pool.ts'
import { createLocator, numberDocuments, type SearchedSources } from '../rank/searched-sources.ts'
import { createSpanReader, rankSemantically } from '../rank/semantic-ranking.ts'
import { createTopKReader } from '../rank/top-k.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchSession } from '../session/search-session.ts'
import { rankingOfView } from './ranking-of-view.ts'

interface PostgresEngineOptions {
  postingsCache: PostingsCache
  bufferPool: BufferPool
  quantizedVectorCache: QuantizedVectorCache
}

type Resources = Omit<PostgresEngineOptions, 'bufferPool'> & { buffers: ScoreBuffers }

/** Creates the engine that ranks by the index in PostgreSQL; see docs/decisions/search-index.md. */
export const createPostgresEngine = ({ bufferPool, ...options }: PostgresEngineOptions): SearchEngine => ({
  async search(session, request) {
    const hasFields = request.filters !== undefined || request.facets !== undefined
    const fields = hasFields ? await resolveFields(session, request) : undefined
    const view = request.after && (await findView(session, request.after))
    if (view !== undefined) return readPageOf(session, request, fields, view)
    return bufferPool.with((buffers) => search({ ...options, buffers }, session, request, fields))
  },
})

async function search(
  resources: Resources,
  session: SearchSession,
  request: QuerySearch,
  fields: SearchedFields | undefined,
) {
  const sources = numberDocuments(session.sources, request)
  const { ranking, warnings, ...ranked } = await rankDocuments(resources, session, sources, request)
  const { phrases } = request.parsed
  const { after } = request
  if (after !== undefined && 'firstHits' in after) {
    const matches = withMinScore(ranking, request.minScore)
    const conditions = { ...request, phrases, fields }
    const counted = request.facets && (await postFilter(session, matches, sources, { ...conditions, limit: 0 }))
    const { stored, hits } = await rankingOfView(session, sources, matches, {
      ...ranked,
      warnings: [...warnings, ...(counted?.warning ? [counted.warning] : [])],
      facets: counted?.facets,
      isFiltered: needsPostFilter(conditions),
    })
    return readPageOf(session, request, fields, createView(after, stored, hits))
  }
  const page = await readHitPage(session, sources, ranking, {
    ...request,
    ...rowOptionsOf(session, request, ranked, sources.locate),
    mode: ranked.mode,
    phrases,
    fields,
  })
  const { items, nextCursor, total, facets } = page
  return {
    items,
    nextCursor,
    meta: metaOf(
      ranked.mode,
      [...request.embeddingWarnings, ...(fields?.warnings ?? []), ...warnings, ...page.warnings],
      // A semantic ranking contains every embedded document, so its total says nothing.
      { total: ranked.mode === 'lexical' ? total : undefined, facets },
    ),
  }
}

/** Reads a page from the second on. The hits of the search engine have passed the filters. */
function readPageOf(
  session: SearchSession,
  request: QuerySearch,
  fields: SearchedFields | undefined,
  view: ResultView,
) {
  const { after, limit, highlight, parsed } = request
  if (after === undefined) throw new Error('a page of a view has a cursor')
  const { ranking } = view
  const locate = createLocator(ranking.sources)
  const conditions = { ...request, phrases: parsed.phrases, fields }
  const isFiltered = ranking.kind === 'document' && needsPostFilter({ ...conditions, facets: undefined })
  return readViewPage(session, view, {
    limit,
    highlight,
    cursor: after,
    filter: isFiltered ? createDocumentFilter(session, { locate }, { ...conditions, facets: undefined }) : undefined,
    readRows: createRowReader(session, locate, {
      ...rowOptionsOf(session, request, ranking, locate),
      createdBefore: view.seenAt,
      omittedEnds: splitEnds(view.firstHits),
    }),
    warnings: [...request.embeddingWarnings, ...(fields?.warnings ?? [])],
  })
}

function rowOptionsOf(
  session: SearchSession,
  { embedding, parsed, highlight, hasData }: QuerySearch,
  { mode, tsquery }: { mode: QuerySearch['mode']; tsquery: string },
  locate: SearchedSources['locate'],
): RowOptions {
  return {
    tsquery,
    words: markedWordsOf(parsed),
    highlight,
    hasData,
    nearestSpans:
      mode === 'lexical' || embedding === undefined ? undefined : createSpanReader(session.query, locate, embedding),
    prefersWords: mode === 'hybrid',
  }
}

/** Number of documents of each ranking that are fused; higher if a post-filter will remove some. */
const [fusionDepth, filteredFusionDepth] = [1_000, 10_000]

interface Ranked {
  mode: QuerySearch['mode']
  tsquery: string
  ranking: Ranking
  warnings: Warning[]
}

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
  return {
    mode: 'hybrid',
    tsquery,
    ranking: fuse(lexical.ranking, semantic.ranking, sources.maxDoc, depth),
    warnings: [...lexical.warnings, ...semantic.warnings],
  }
}

function fuse(lexical: LexicalRanking, semantic: Ranking, maxDoc: number, depth: number): Ranking {
  const best = (ranking: Ranking) =>
    createTopKReader(ranking, depth)(depth).map((document) => [document, ranking.scores[document] ?? 0] as const)
  const fused = fuseScores({ hits: best(lexical), maxScore: lexical.maxScore }, best(semantic))
  const scores = new Float64Array(maxDoc)
  for (const [document, score] of fused) scores[document] = score
  return { documents: Uint32Array.from(fused.keys()), scores }
}
