import { Problem, problem } from '@wp/contracts'
import { EmbeddingFailure } from '../../embeddings/embedding-failure.ts'
import type { EmbeddingModels } from '../../embeddings/embedding-models.ts'
import type { QueryEmbedding } from '../rank/semantic-ranking.ts'
import type { Warning } from '../rank/warning.ts'

const notConnected = 'No model for embeddings is chosen, or its integration is not connected'
const notEmbedded = 'The query could not be embedded'

/**
 * Embeds a query. Call it before taking a database connection, because it waits for the provider.
 * @param isRequired throws if the query cannot be embedded, instead of returning a warning
 * @param pointer where the request asks for embeddings
 * @param signal ends the search, and with it the request for its embedding
 * @throws Problem `embeddings_not_connected`, `embeddings_unavailable`
 */
export async function embedQuery(
  models: EmbeddingModels,
  workspaceId: string,
  query: string,
  { isRequired, pointer, signal }: { isRequired: boolean; pointer: string; signal: AbortSignal },
): Promise<QueryEmbedding | Warning> {
  try {
    const model = await models.find(workspaceId)
    if (model !== undefined)
      return { space: model.space, vector: await models.embedQuery(workspaceId, model, query, signal) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof EmbeddingFailure) && !(error instanceof Problem)) throw error
    const reason = error instanceof EmbeddingFailure ? error.message : 'the integrations service is unavailable'
    if (isRequired) throw problem('embeddings_unavailable', { detail: `${notEmbedded}: ${reason}`, cause: error })
    return { code: 'embeddings_unavailable', message: `${notEmbedded}; only words were searched: ${reason}` }
  }
  if (isRequired)
    throw problem('embeddings_not_connected', {
      detail: notConnected,
      errors: [{ pointer, detail: 'requires a model for embeddings: choose one with PATCH /v1/data/embedding' }],
    })
  return { code: 'embeddings_not_connected', message: `${notConnected}; only words were searched` }
}
