import { integrations, type ResultOf } from '@wp/contracts'
import { paginateCatalogue, viewOf } from '@wp/database'
import type { Operation } from '../context.ts'
import { providers } from '../providers/index.ts'
import { findIntegration, findIntegrations, type Integration } from '../store/integrations.ts'

export const getIntegration: Operation<'getIntegration'> = async ({ database }, caller, { params }) =>
  integrationView(await database.read(caller, (db) => findIntegration(db, caller.workspaceId, params.integration_id)))

export const listIntegrations: Operation<'listIntegrations'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findIntegrations(db, caller.workspaceId, query))
  return { items: items.map(integrationView), nextCursor }
}

/** Returns the public form of an integration: the names of its secrets, never their values. */
export const integrationView = (row: Integration): ResultOf<typeof integrations.getIntegration> =>
  viewOf(integrations.getIntegration.ok, row, { secret_names: Object.keys(row.secrets).toSorted() })

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
