import type { Operation } from '../context.ts'
import { findIntegration, findIntegrations } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const getIntegration: Operation<'getIntegration'> = async ({ database }, caller, { params }) =>
  integrationView(await database.read(caller, (db) => findIntegration(db, caller.workspaceId, params.integration_id)))

export const listIntegrations: Operation<'listIntegrations'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findIntegrations(db, caller.workspaceId, query))
  return { items: items.map(integrationView), nextCursor }
}
