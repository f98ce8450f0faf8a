import { invalidField, type Model, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { requireScope } from '@wp/service'
import { localModelId } from './local/local-model.ts'
import type { ModelContext } from './open-model.ts'
import { findModelIntegration } from './resolve-integration.ts'

/**
 * Checks the model of a request: it exists, is configured, and its `id` is allowed. The provider is not asked.
 * @param pointer of the model in the request
 * @throws Problem `missing_scope` if an integration provides it and the caller may not use integrations;
 *   `validation_failed` or `unknown_reference` with a pointer below it, `model_not_configured`
 */
export async function checkModel(
  { config, internal }: Pick<ModelContext, 'config' | 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  { provider, id }: Model,
  pointer = '/model',
): Promise<void> {
  const requireId = (allowed: readonly string[]) => {
    if (id !== undefined && !allowed.includes(id)) throw invalidField(`${pointer}/id`, notAllowed(allowed))
  }
  if (provider === 'local') return requireId([localModelId])
  if (provider === 'default') {
    if (config.AI_MODEL === undefined)
      throw problem('model_not_configured', { detail: 'The operator has configured no default model' })
    return requireId([config.AI_MODEL])
  }
  requireScope(caller, 'integrations:read', 'Using the model of an integration')
  const integration = await findModelIntegration(internal, caller, provider)
  if (integration === undefined)
    throw invalidField(
      `${pointer}/provider`,
      'is not an integration of the provider openai_compatible of this workspace, or is disconnected',
      'unknown_reference',
    )
  if (integration.models.length > 0) requireId(integration.models)
}

/** A message lists at most this many models. */
const maxShownModels = 10

function notAllowed(allowed: readonly string[]): string {
  const [only] = allowed
  if (allowed.length === 1) return `must be ${only}, or be left out`
  const shown = allowed.slice(0, maxShownModels).join(', ')
  return `must be a model that the integration allows: ${shown}${allowed.length > maxShownModels ? ', …' : ''}`
}
