import { requireWorkspaceId } from '../connections/require-workspace.ts'
import type { Operation } from '../context.ts'
import { listConnected } from '../store/integrations.ts'

const maxIntegrations = 10

/**
 * Lists the integrations of a provider that can be used, without secrets, oldest first: those that are connected, and
 * those that were and have been changed since, such as by a new key; the next use tells whether they work. One that is
 * named by its id can be used unless it is disconnected.
 */
export const findConnected: Operation<'findConnected'> = async (
  { database },
  caller,
  { query: { provider, integration_id: integrationId, with: member } },
) => {
  const workspaceId = requireWorkspaceId(caller)
  const rows = await database.read({ workspaceId }, (db) =>
    listConnected(db, workspaceId, provider, { integrationId, member, limit: maxIntegrations }),
  )
  return {
    integrations: rows.map(({ integrationId, status, config, revision }) => ({
      integration_id: integrationId,
      status,
      config,
      revision,
    })),
  }
}
