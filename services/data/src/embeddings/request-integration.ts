import { integrationsInternal, Problem } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModel } from './embedding-model.ts'

/** Returns an integration; undefined if it is disconnected or its last use failed. @throws Problem */
export async function requestIntegration(internal: InternalCalls, workspaceId: string, integrationId: string) {
  const query = { provider: 'openai_compatible', integration_id: integrationId } as const
  const { integrations } = await internal.callAsSystem(
    integrationsInternal.findConnected,
    { workspaceId },
    { params: {}, query, body: undefined },
  )
  return integrations.find(({ status }) => status !== 'error')
}

/** @throws EmbeddingFailure `unavailable` if the integration changed since the model was read; Problem */
export async function requestApiKey(
  internal: InternalCalls,
  workspaceId: string,
  { integrationId, revision }: EmbeddingModel,
): Promise<string | undefined> {
  const resolved = await internal
    .callAsSystem(
      integrationsInternal.resolveSecret,
      { workspaceId },
      { params: { integration_id: integrationId }, query: {}, body: undefined },
    )
    .catch((error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? integrationChanged(error) : error
    })
  if (resolved.revision !== revision) throw integrationChanged()
  return resolved.secrets.api_key
}

const integrationChanged = (cause?: unknown) =>
  new EmbeddingFailure('unavailable', 'The integration that makes embeddings has just changed', { cause })
