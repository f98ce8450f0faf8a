import { integrationsInternal, Problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { JobFailure } from '@wp/jobs'
import type { InternalCalls, SystemCallContext } from '@wp/service'
import { z } from 'zod'
import { modelRejected } from './model-failure.ts'
import { ConfiguredPrice, type ModelPrice, toModelPrice } from './price.ts'

/** The configuration of the provider allows no more. */
const maxModels = 100

/** The configuration of an integration of the provider `openai_compatible`, as far as language models need it. */
const IntegrationConfig = z.object({
  base_url: z.string(),
  models: z.array(z.string()).max(maxModels).default([]),
  prices: z
    .array(ConfiguredPrice.extend({ model: z.string() }))
    .max(maxModels)
    .default([]),
})

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

/** A provider that a workspace has connected. */
interface ModelProviderConfig {
  baseUrl: string
  /** Names of the models that may be used; empty: all of the provider. */
  models: readonly string[]
  /** The prices of models that the workspace has stated. */
  prices: ReadonlyMap<string, ModelPrice>
}

/** @throws ZodError if the integrations service stores a configuration that it should have rejected */
export function parseIntegrationConfig(config: Readonly<Record<string, unknown>>): ModelProviderConfig {
  const { base_url: baseUrl, models, prices } = IntegrationConfig.parse(config)
  return { baseUrl, models, prices: new Map(prices.map((price) => [price.model, toModelPrice(price)])) }
}
