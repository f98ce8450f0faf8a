import { problem } from '@wp/contracts'
import type { EmbeddingModels } from '../../embeddings/embedding-models.ts'
import type { QueryEmbedding } from '../rank/semantic-ranking.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchCursor } from './hits/hit-cursor.ts'
import type { SearchInput } from './input/search-input.ts'
import { embedQuery } from './query-embedding.ts'

/** Embeds the query if the mode needs it. Later pages of a search use what its first page used. @throws Problem */
export async function resolveEmbedding(
  models: EmbeddingModels,
  workspaceId: string,
  { mode, query, pointers, signal }: Pick<SearchInput, 'mode' | 'pointers' | 'signal'> & { query: string },
  cursor: SearchCursor | undefined,
): Promise<{ embedding: QueryEmbedding | undefined; warnings: Warning[] }> {
  const isFallback = mode === 'hybrid' && cursor?.mode === 'lexical'
  if (cursor !== undefined && cursor.mode !== mode && !isFallback)
    throw problem('invalid_cursor', {
      errors: [{ pointer: pointers.cursor, detail: 'is a cursor of a search in another mode' }],
    })
  if (mode === 'lexical') return { embedding: undefined, warnings: [] }
  if (isFallback) {
    const message = 'Only words were searched, as on the previous pages'
    return { embedding: undefined, warnings: [{ code: 'embeddings_unavailable', message }] }
  }
  const isRequired = mode === 'semantic' || cursor !== undefined
  const result = await embedQuery(models, workspaceId, query, { isRequired, pointer: pointers.mode, signal })
  return 'vector' in result ? { embedding: result, warnings: [] } : { embedding: undefined, warnings: [result] }
}
