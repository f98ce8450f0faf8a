import { paginateCatalogue } from '@wp/database'
import type { Operation } from '../context.ts'
import { providers } from '../providers/index.ts'

/** Lists the provider catalogue. */
export const listProviders: Operation<'listProviders'> = async (_context, _caller, { query }) => {
  const { items, nextCursor } = paginateCatalogue(Object.values(providers), query, ({ provider }) => provider)
  return {
    items: items.map(({ provider, name, description, configSchema, secretsSchema }) => ({
      provider,
      name,
      description,
      config_schema: configSchema,
      secrets_schema: secretsSchema,
    })),
    nextCursor,
  }
}
