import type { AiModel, Model } from '@wp/contracts'
import type { z } from 'zod'

export type ListedModel = z.output<typeof AiModel>

/** Returns the words for the model of an agent. @param integrationNames names of integrations by id */
export function modelName(
  { provider = 'local', id }: z.input<typeof Model>,
  integrationNames?: ReadonlyMap<string, string>,
): string {
  if (provider === 'local') return 'Local'
  if (provider === 'default') return id === undefined ? 'Of the operator' : `${id} (operator)`
  const integration = integrationNames?.get(provider) ?? 'integration'
  return id === undefined ? `Default of ${integration}` : `${id} (${integration})`
}

/** Returns the names of integrations by their ids. */
export const namesById = (
  integrations: readonly { integration_id: string; name: string }[] | undefined,
): ReadonlyMap<string, string> => new Map(integrations?.map(({ integration_id: id, name }) => [id, name]))
