import { integrationsInternal, Problem } from '@wp/contracts'
import type { InternalCalls, SystemCallContext } from '@wp/service'
import { type ModelProviderConfig, parseIntegrationConfig } from './integration-config.ts'
import { modelRejected } from './model-failure.ts'

export interface ResolvedProvider extends ModelProviderConfig {
  apiKey: string | undefined
  revision: number
}

/**
 * Reads the address and the key of an integration.
 * @throws JobFailure `model_rejected` if it cannot be used; Problem `service_unavailable`
 */
export async function resolveProvider(
  internal: InternalCalls,
  about: SystemCallContext,
  integrationId: string,
): Promise<ResolvedProvider> {
  const { provider, config, secrets, revision } = await internal
    .callAsSystem(integrationsInternal.resolveSecret, about, {
      params: { integration_id: integrationId },
      query: {},
      body: undefined,
    })
    .catch((error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? toFailure(error) : error
    })
  if (provider !== 'openai_compatible')
    throw modelRejected('The integration of the model is not of the provider `openai_compatible`')
  return { ...parseIntegrationConfig(config), apiKey: secrets.api_key, revision }
}

const toFailure = (problem: Problem) =>
  modelRejected(
    problem.code === 'integration_disconnected'
      ? 'The integration of the model is disconnected'
      : 'The integration of the model no longer exists',
    problem,
  )
