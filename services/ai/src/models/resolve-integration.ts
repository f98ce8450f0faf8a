import { integrationsInternal, Problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { JobFailure } from '@wp/jobs'
import type { InternalCalls, SystemCallContext } from '@wp/service'
import { type ModelProviderConfig, parseIntegrationConfig } from './integration-config.ts'
import { modelRejected } from './model-failure.ts'

/** Returns the connected integration that a model names; undefined if there is none. @throws Problem `missing_scope` */
export async function findModelIntegration(internal: InternalCalls, caller: RequestCaller, integrationId: string) {
  const query = { provider: 'openai_compatible' as const, integration_id: integrationId }
  const endpoint = integrationsInternal.findConnected
  const { integrations } = await internal.callForCaller(caller, 'integrations:read', endpoint, { query })
  return integrations[0] && parseIntegrationConfig(integrations[0].config)
}

export interface ResolvedProvider extends ModelProviderConfig {
  apiKey: string | undefined
  revision: number
}

/**
 * On whose authority the integration of a model is used: that of the caller, who needs the scope `integrations:read`,
 * or that of the author of the agent that names the model, on behalf of whom any caller may run it.
 */
export type ModelAuthority = { type: 'caller'; caller: WorkspaceCaller } | { type: 'author'; about: SystemCallContext }

/**
 * Reads the address and the key of an integration.
 * @throws JobFailure `model_rejected` if it cannot be used, or the caller may not use it; Problem `service_unavailable`
 */
export async function resolveProvider(
  internal: InternalCalls,
  authority: ModelAuthority,
  integrationId: string,
): Promise<ResolvedProvider> {
  const { provider, config, secrets, revision } = await requestSecrets(internal, authority, integrationId).catch(
    (error: unknown) => {
      throw error instanceof Problem && error.status < 500 ? toFailure(error) : error
    },
  )
  if (provider !== 'openai_compatible')
    throw modelRejected('The integration of the model is not of the provider `openai_compatible`')
  return { ...parseIntegrationConfig(config), apiKey: secrets.api_key, revision }
}

function requestSecrets(internal: InternalCalls, authority: ModelAuthority, integrationId: string) {
  const input = { params: { integration_id: integrationId } }
  const endpoint = integrationsInternal.resolveSecret
  return authority.type === 'caller'
    ? internal.callForCaller(authority.caller, 'integrations:read', endpoint, input)
    : internal.callDelegated('agent_model', endpoint, authority.about, input)
}

function toFailure(problem: Problem): JobFailure {
  switch (problem.code) {
    case 'missing_scope':
      return modelRejected('The caller does not have the scope integrations:read, which the model requires', problem)
    case 'integration_disconnected':
      return modelRejected('The integration of the model is disconnected', problem)
    default:
      return modelRejected('The integration of the model no longer exists', problem)
  }
}
