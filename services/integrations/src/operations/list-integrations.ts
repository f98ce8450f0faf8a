import type { integrations, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listIntegrations as list } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const listIntegrations: Operation<typeof integrations.listIntegrations, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { items, nextCursor } = await database.read(caller, (db) => list(db, caller.workspaceId, query))
  return { items: items.map(integrationView), nextCursor }
}
