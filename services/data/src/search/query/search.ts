import { type FieldFilter, problem, type SearchLanguage, type SearchMode } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Context } from '../../context.ts'
import { findUnknownSources, listIndexes } from '../../store/search/list-indexes.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { ScoreBuffers } from '../rank/buffer-pool.ts'
import { rankLexically } from '../rank/lexical-ranking.ts'
import { fuseRankings } from '../rank/reciprocal-rank-fusion.ts'
import { numberDocuments, type SearchedSources } from '../rank/searched-sources.ts'
import { rankSemantically } from '../rank/semantic-ranking.ts'
import { decodeHitCursor, type HitCursor } from './hit-cursor.ts'
import { type Hit, type HitPageOptions, type Meta, readHitPage, type Warning } from './hit-page.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { embedQuery, type QueryEmbedding } from './query-embedding.ts'

/** What is asked; `pointers` say where in the request. */
export interface SearchInput {
  query: string
  dataSourceIds?: readonly string[] | undefined
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  mode: SearchMode
  language?: SearchLanguage | undefined
  highlight: boolean
  minScore?: number | undefined
  limit: number
  cursor?: string | undefined
  pointers: { dataSourceId: (place: number) => string; cursor: string; mode: string }
}

type SearchResult = { items: Hit[]; nextCursor: string | null; meta: Meta }
type SearchContext = Pick<Context, 'database' | 'postingsCache' | 'bufferPool' | 'quantizedVectorCache' | 'models'>

/**
 * Searches the records of a workspace: the documents are ranked, by words, by meaning or by both, and one page of the
 * ranking is shown.
 * @throws Problem `unknown_reference`, `invalid_cursor`, `embeddings_not_connected`, `embeddings_unavailable`
 */
export async function search(context: SearchContext, workspaceId: string, input: SearchInput): Promise<SearchResult> {
  const cursor = input.cursor === undefined ? undefined : decodeHitCursor(input.cursor, input.pointers.cursor)
  const meant = await resolveEmbedding(context, workspaceId, input, cursor)
  return context.database.read({ workspaceId }, (_db, query) =>
    context.bufferPool.with(async (room) => {
      await assertSourcesExist(query, workspaceId, input)
      const sources = numberDocuments(await listIndexes(query, workspaceId, input.language), input.dataSourceIds)
      const asked = parseQuery(input.query)
      const ranked = await rankDocuments({ ...context, room }, query, workspaceId, sources, asked, input, meant.meaning)
      const page = await readHitPage(query, workspaceId, sources, ranked.ranking, {
        ...input,
        ...ranked,
        phrases: asked.phrases,
        cursor,
      })
      return {
        items: page.items,
        nextCursor: page.nextCursor,
        meta: {
          mode_used: ranked.mode,
          warnings: [...meant.warnings, ...ranked.warnings, ...page.warnings],
          // By meaning every document matches, more or less.
          ...(ranked.mode === 'lexical' && page.total !== undefined && { total: page.total }),
          ...(page.facets && { facets: page.facets }),
        },
      }
    }),
  )
}

/** The query as an embedding, where the mode wants it; on a further page, as on the first. */
async function resolveEmbedding(
  { models }: SearchContext,
  workspaceId: string,
  { mode, query, pointers }: SearchInput,
  cursor: HitCursor | undefined,
): Promise<{ meaning: QueryEmbedding | undefined; warnings: Warning[] }> {
  const isFallback = mode === 'hybrid' && cursor?.mode === 'lexical'
  if (cursor !== undefined && cursor.mode !== mode && !isFallback)
    throw problem('invalid_cursor', {
      errors: [{ pointer: pointers.cursor, detail: 'is of a search in another mode' }],
    })
  if (mode === 'lexical') return { meaning: undefined, warnings: [] }
  if (isFallback) {
    const message = 'Only words were searched, as on the pages before'
    return { meaning: undefined, warnings: [{ code: 'embeddings_unavailable', message }] }
  }
  const isNeeded = mode === 'semantic' || cursor !== undefined
  const meant = await embedQuery(models, workspaceId, query, { isNeeded, pointer: pointers.mode })
  return 'vector' in meant ? { meaning: meant, warnings: [] } : { meaning: undefined, warnings: [meant] }
}

/** How many of each ranking are fused; where some will be left out, more. */
const [fusionDepth, filteredFusionDepth] = [1_000, 10_000]

type Ranked = Pick<HitPageOptions, 'mode' | 'tsquery' | 'nearestSpans'> & { ranking: Ranking; warnings: Warning[] }

async function rankDocuments(
  { postingsCache: postings, room, quantizedVectorCache: sketches }: SearchContext & { room: ScoreBuffers },
  query: Query,
  workspaceId: string,
  sources: SearchedSources,
  asked: ParsedQuery,
  { mode, filters, facets }: SearchInput,
  meaning: QueryEmbedding | undefined,
): Promise<Ranked> {
  const lexical = await rankLexically(query, { postings, room }, workspaceId, sources, asked)
  const words = lexical.tsquery
  if (meaning === undefined)
    return { mode: 'lexical', tsquery: words, ranking: lexical.ranking, warnings: lexical.warnings }
  const semantic = await rankSemantically(query, sketches, workspaceId, sources, meaning)
  if (mode === 'semantic') return { ...semantic, mode, tsquery: words }
  const isChosen = filters !== undefined || facets !== undefined || asked.phrases.length > 0
  const depth = isChosen ? filteredFusionDepth : fusionDepth
  const hasWords = new Set(lexical.ranking.documents)
  return {
    mode: 'hybrid',
    tsquery: words,
    ranking: fuseRankings([lexical.ranking, semantic.ranking], sources.maxDoc, depth),
    warnings: [...lexical.warnings, ...semantic.warnings],
    nearestSpans: (documents) => semantic.nearestSpans(documents.filter((document) => !hasWords.has(document))),
  }
}

async function assertSourcesExist(query: Query, workspaceId: string, { dataSourceIds, pointers }: SearchInput) {
  if (dataSourceIds === undefined) return
  const unknown = await findUnknownSources(query, workspaceId, dataSourceIds)
  if (unknown.length === 0) return
  const detail = 'is not a data source of this workspace'
  const errors = unknown.map((id) => ({ pointer: pointers.dataSourceId(dataSourceIds.indexOf(id)), detail }))
  throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
