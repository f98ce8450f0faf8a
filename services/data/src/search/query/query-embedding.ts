import { Problem, problem } from '@wp/contracts'
import { EmbeddingFailure } from '../../embeddings/embedding-failure.ts'
import type { EmbeddingModels } from '../../embeddings/embedding-models.ts'
import type { Warning } from './hit-page.ts'

/** A query as a place among what was embedded. */
export interface QueryEmbedding {
  space: string
  /** Of length 1. */
  vector: Float32Array
}

const notConnected = 'No integration that makes embeddings is connected'
const notMade = 'The query could not be embedded'

/**
 * Has a query embedded, before a connection to the database is held. Where it cannot be, that is a refusal to who needs
 * it, and to others a warning.
 * @throws Problem `embeddings_not_connected`, `embeddings_unavailable`
 */
export async function embedQuery(
  models: EmbeddingModels,
  workspaceId: string,
  query: string,
  { isNeeded, pointer }: { isNeeded: boolean; pointer: string },
): Promise<QueryEmbedding | Warning> {
  try {
    const model = await models.find(workspaceId)
    if (model !== undefined) return { space: model.space, vector: await models.embedQuery(workspaceId, model, query) }
  } catch (error) {
    if (!(error instanceof EmbeddingFailure) && !(error instanceof Problem)) throw error
    const reason = error instanceof EmbeddingFailure ? error.message : 'integrations cannot be asked'
    if (isNeeded) throw problem('embeddings_unavailable', { detail: `${notMade}: ${reason}`, cause: error })
    return { code: 'embeddings_unavailable', message: `${notMade}, so only words were searched: ${reason}` }
  }
  if (isNeeded)
    throw problem('embeddings_not_connected', {
      detail: notConnected,
      errors: [{ pointer, detail: 'needs a connected integration that makes embeddings' }],
    })
  return { code: 'embeddings_not_connected', message: `${notConnected}: only words were searched` }
}
