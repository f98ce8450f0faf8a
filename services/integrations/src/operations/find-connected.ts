import type { integrationsInternal, Operation } from '@wp/contracts'
import { inWorkspace } from '../connections/workspace.ts'
import type { Context } from '../context.ts'
import { listConnected } from '../store/integrations.ts'

const most = 10

/** For who needs something of a kind and was told no integration by name. Secrets are asked for one by one. */
export const findConnected: Operation<typeof integrationsInternal.findConnected, Context> = async (
  { database },
  caller,
  { query: { provider, with: member } },
) => {
  const workspaceId = inWorkspace(caller)
  const rows = await database.read({ workspaceId }, (db) =>
    listConnected(db, workspaceId, provider, { member, limit: most }),
  )
  return {
    integrations: rows.map(({ integrationId, config, revision }) => ({
      integration_id: integrationId,
      config,
      revision,
    })),
  }
}
