import type { integrationsInternal, Operation } from '@wp/contracts'
import { requireWorkspaceId } from '../connections/require-workspace.ts'
import type { Context } from '../context.ts'
import { listConnected } from '../store/integrations.ts'

const maxIntegrations = 10

/** Lists the connected integrations of a provider, without secrets, oldest first, or the one with an id. */
export const findConnected: Operation<typeof integrationsInternal.findConnected, Context> = async (
  { database },
  caller,
  { query: { provider, integration_id: integrationId, with: member } },
) => {
  const workspaceId = requireWorkspaceId(caller)
  const rows = await database.read({ workspaceId }, (db) =>
    listConnected(db, workspaceId, provider, { integrationId, member, limit: maxIntegrations }),
  )
  return {
    integrations: rows.map(({ integrationId, config, revision }) => ({
      integration_id: integrationId,
      config,
      revision,
    })),
  }
}
