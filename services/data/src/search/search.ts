import { type FieldFilter, problem, type SearchLanguage, type SearchMode } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Context } from '../context.ts'
import { listIndexes, unknownSources } from '../store/search-indexes.ts'
import { decodeHitCursor, type HitCursor } from './cursor.ts'
import { fuse } from './fuse.ts'
import { type Hit, hitsOf, type Meta, type Wanted, type Warning } from './hits.ts'
import { rankByWords } from './lexical.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import { parseQuery, type SearchQuery } from './query.ts'
import type { Ranking } from './rank.ts'
import type { Room } from './room.ts'
import { rankByMeaning } from './semantic.ts'
import { numbered, type SearchedSources } from './sources.ts'

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

type Answer = { items: Hit[]; nextCursor: string | null; meta: Meta }
type Searching = Pick<Context, 'database' | 'postings' | 'rooms' | 'sketches' | 'models'>

/**
 * Searches the records of a workspace: the documents are ranked, by words, by meaning or by both, and one page of the
 * ranking is shown.
 * @throws Problem `unknown_reference`, `invalid_cursor`, `embeddings_not_connected`, `embeddings_unavailable`
 */
export async function search(context: Searching, workspaceId: string, input: SearchInput): Promise<Answer> {
  const cursor = input.cursor === undefined ? undefined : decodeHitCursor(input.cursor, input.pointers.cursor)
  const meant = await meantBy(context, workspaceId, input, cursor)
  return context.database.read({ workspaceId }, (_db, query) =>
    context.rooms.with(async (room) => {
      await refuseUnknown(query, workspaceId, input)
      const sources = numbered(await listIndexes(query, workspaceId, input.language), input.dataSourceIds)
      const asked = parseQuery(input.query)
      const ranked = await rankIn({ ...context, room }, query, workspaceId, sources, asked, input, meant.meaning)
      const page = await hitsOf(query, workspaceId, sources, ranked.ranking, {
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
async function meantBy(
  { models }: Searching,
  workspaceId: string,
  { mode, query, pointers }: SearchInput,
  cursor: HitCursor | undefined,
): Promise<{ meaning: Meaning | undefined; warnings: Warning[] }> {
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
  const meant = await meaningOf(models, workspaceId, query, { isNeeded, pointer: pointers.mode })
  return 'vector' in meant ? { meaning: meant, warnings: [] } : { meaning: undefined, warnings: [meant] }
}

/** How many of each ranking are fused; where some will be left out, more. */
const [fused, fusedToChoose] = [1_000, 10_000]

type Ranked = Pick<Wanted, 'mode' | 'words' | 'partsOf'> & { ranking: Ranking; warnings: Warning[] }

async function rankIn(
  { postings, room, sketches }: Searching & { room: Room },
  query: Query,
  workspaceId: string,
  sources: SearchedSources,
  asked: SearchQuery,
  { mode, filters, facets }: SearchInput,
  meaning: Meaning | undefined,
): Promise<Ranked> {
  const lexical = await rankByWords(query, { postings, room }, workspaceId, sources, asked)
  const words = lexical.wanted
  if (meaning === undefined) return { mode: 'lexical', words, ranking: lexical.ranking, warnings: lexical.warnings }
  const semantic = await rankByMeaning(query, sketches, workspaceId, sources, meaning)
  if (mode === 'semantic') return { ...semantic, mode, words }
  const isChosen = filters !== undefined || facets !== undefined || asked.phrases.length > 0
  const depth = isChosen ? fusedToChoose : fused
  const hasWords = new Set(lexical.ranking.documents)
  return {
    mode: 'hybrid',
    words,
    ranking: fuse([lexical.ranking, semantic.ranking], sources.size, depth),
    warnings: [...lexical.warnings, ...semantic.warnings],
    partsOf: (documents) => semantic.partsOf(documents.filter((document) => !hasWords.has(document))),
  }
}

async function refuseUnknown(query: Query, workspaceId: string, { dataSourceIds, pointers }: SearchInput) {
  if (dataSourceIds === undefined) return
  const unknown = await unknownSources(query, workspaceId, dataSourceIds)
  if (unknown.length === 0) return
  const detail = 'is not a data source of this workspace'
  const errors = unknown.map((id) => ({ pointer: pointers.dataSourceId(dataSourceIds.indexOf(id)), detail }))
  throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
