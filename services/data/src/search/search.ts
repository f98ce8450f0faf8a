import { type FieldFilter, problem, type SearchLanguage } from '@wp/contracts'
import type { Query } from '@wp/database'
import { listIndexes, unknownSources } from '../store/search.ts'
import { decodeHitCursor } from './cursor.ts'
import { type Hit, hitsOf, type Meta } from './hits.ts'
import { rankByWords } from './lexical.ts'
import type { PostingsCache } from './postings-cache.ts'
import { parseQuery } from './query.ts'
import { numbered } from './sources.ts'

/** What is asked; `pointers` say where in the request. */
export interface SearchInput {
  query: string
  dataSourceIds?: readonly string[] | undefined
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  mode: 'lexical' | 'semantic' | 'hybrid'
  language?: SearchLanguage | undefined
  highlight: boolean
  minScore?: number | undefined
  limit: number
  cursor?: string | undefined
  pointers: { dataSourceId: (place: number) => string; cursor: string; mode: string }
}

type Answer = { items: Hit[]; nextCursor: string | null; meta: Meta }

/**
 * Searches the records of a workspace: the documents are ranked, and one page of the ranking is shown.
 * @throws Problem `unknown_reference`, `invalid_cursor`, `embeddings_not_connected`
 */
export async function search(
  query: Query,
  cache: PostingsCache,
  workspaceId: string,
  input: SearchInput,
): Promise<Answer> {
  const ofMode = warningsOfMode(input)
  const cursor = input.cursor === undefined ? undefined : decodeHitCursor(input.cursor, input.pointers.cursor)
  await refuseUnknown(query, workspaceId, input)
  const sources = numbered(await listIndexes(query, workspaceId, input.language), input.dataSourceIds)
  const asked = parseQuery(input.query)
  const lexical = await rankByWords(query, cache, sources, asked)
  const wanted = { ...input, phrases: asked.phrases, cursor, words: lexical.wanted }
  const page = await hitsOf(query, workspaceId, sources, lexical.ranking, wanted)
  return {
    items: page.items,
    nextCursor: page.nextCursor,
    meta: {
      mode_used: 'lexical',
      warnings: [...ofMode, ...lexical.warnings, ...page.warnings],
      ...(page.total !== undefined && { total: page.total }),
      ...(page.facets && { facets: page.facets }),
    },
  }
}

function warningsOfMode({ mode, pointers }: SearchInput): Meta['warnings'] {
  if (mode === 'lexical') return []
  const message = 'No integration that makes embeddings is connected'
  if (mode === 'semantic')
    throw problem('embeddings_not_connected', {
      detail: message,
      errors: [{ pointer: pointers.mode, detail: 'needs a connected integration that makes embeddings' }],
    })
  return [{ code: 'embeddings_not_connected', message: `${message}: only words were searched` }]
}

async function refuseUnknown(query: Query, workspaceId: string, { dataSourceIds, pointers }: SearchInput) {
  if (dataSourceIds === undefined) return
  const unknown = await unknownSources(query, workspaceId, dataSourceIds)
  if (unknown.length === 0) return
  const detail = 'is not a data source of this workspace'
  const errors = unknown.map((id) => ({ pointer: pointers.dataSourceId(dataSourceIds.indexOf(id)), detail }))
  throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
