import { integrationsInternal, Problem, type RequestCaller, type ResultOf } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModel } from './embedding-model.ts'

type FoundIntegrations = ResultOf<typeof integrationsInternal.findConnected>['integrations']

/**
 * Returns the integration that a workspace has chosen; undefined if it is disconnected or its last use failed.
 * @throws Problem
 */
export async function requestIntegration(internal: InternalCalls, workspaceId: string, integrationId: string) {
  const { integrations } = await internal.callDelegated(
    'embeddings',
    integrationsInternal.findConnected,
    { workspaceId },
    inputOf(integrationId),
  )
  return findUsable(integrations)
}

/** Returns an integration that a caller is about to choose; undefined as above. @throws Problem */
export async function requestIntegrationFor(internal: InternalCalls, caller: RequestCaller, integrationId: string) {
  const { integrations } = await internal.callForCaller(
    caller,
    'integrations:read',
    integrationsInternal.findConnected,
    inputOf(integrationId),
  )
  return findUsable(integrations)
}

const inputOf = (integrationId: string) => ({
  query: { provider: 'openai_compatible' as const, integration_id: integrationId },
})

const findUsable = (integrations: FoundIntegrations) => integrations.find(({ status }) => status !== 'error')

/** @throws EmbeddingFailure `unavailable` if the integration changed since the model was read; Problem */
export async function requestApiKey(
  internal: InternalCalls,
  workspaceId: string,
  { integrationId, revision }: EmbeddingModel,
): Promise<string | undefined> {
  const resolved = await internal
    .callDelegated(
      'embeddings',
      integrationsInternal.resolveSecret,
      { workspaceId },
      { params: { integration_id: integrationId } },
    )
    .catch((error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? integrationChanged(error) : error
    })
  if (resolved.revision !== revision) throw integrationChanged()
  return resolved.secrets.api_key
}

const integrationChanged = (cause?: unknown) =>
  new EmbeddingFailure('unavailable', 'The integration that makes embeddings has just changed', { cause })
