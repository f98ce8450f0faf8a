import { integrationsInternal, type WorkspaceCaller } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import { localModelDescription, localModelId } from './local/local-model.ts'
import type { ModelContext } from './open-model.ts'
import { listProviderModels } from './provider-models.ts'
import { parseIntegrationConfig, resolveProvider } from './resolve-integration.ts'

/** A model that agents and chat can use. */
export interface AvailableModel {
  id: string
  provider: string
  name: string
  description: string
  available: boolean
}

/** Time that a provider has to list its models. */
const listTimeoutMs = 5_000

/**
 * Returns the models of the platform and, for a caller who may use integrations, those of connected integrations: the
 * configured ones, or all of the provider.
 */
export async function listAvailableModels(context: ModelContext, caller: WorkspaceCaller): Promise<AvailableModel[]> {
  const ofPlatform = [localModel, defaultModel(context)]
  if (!caller.scopes.includes('integrations:read')) return ofPlatform
  const { integrations } = await context.internal.callForCaller(
    caller,
    'integrations:read',
    integrationsInternal.findConnected,
    { query: { provider: 'openai_compatible' } },
  )
  const listed = await Promise.all(
    integrations.map(({ integration_id: id, config }) =>
      listIntegrationModels(context, caller, id, parseIntegrationConfig(config).models),
    ),
  )
  return [...ofPlatform, ...listed.flat()]
}

const localModel: AvailableModel = {
  id: localModelId,
  provider: 'local',
  name: 'Local',
  description: localModelDescription,
  available: true,
}

function defaultModel({ config: { AI_MODEL: id } }: ModelContext): AvailableModel {
  const description = id === undefined ? 'Not configured by the operator' : 'The language model of the operator'
  return { id: id ?? 'default', provider: 'default', name: id ?? 'Default', description, available: id !== undefined }
}

async function listIntegrationModels(
  context: ModelContext,
  caller: WorkspaceCaller,
  integrationId: string,
  configured: readonly string[],
): Promise<AvailableModel[]> {
  const toModel = (id: string): AvailableModel => ({
    id,
    provider: integrationId,
    name: id,
    description: `A model of the integration ${integrationId}`,
    available: true,
  })
  if (configured.length > 0) return configured.map(toModel)
  try {
    return (await askProvider(context, caller, integrationId)).map(toModel)
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    const description = `The models of the integration ${integrationId} cannot be listed: ${error.error.message}`
    return [{ id: 'unknown', provider: integrationId, name: 'Unknown', description, available: false }]
  }
}

async function askProvider(
  { internal, modelTransports, now }: ModelContext,
  caller: WorkspaceCaller,
  integrationId: string,
): Promise<string[]> {
  const { baseUrl, apiKey } = await resolveProvider(internal, { type: 'caller', caller }, integrationId)
  const options = { name: 'The model provider', transport: modelTransports.guarded, now }
  return listProviderModels({ ...options, baseUrl, apiKey, timeoutMs: listTimeoutMs })
}
