import type { integrations, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findIntegration } from '../store/integrations.ts'
import { integrationView } from '../views.ts'

export const getIntegration: Operation<typeof integrations.getIntegration, Context> = async (
  { database },
  caller,
  { params },
) =>
  integrationView(await database.read(caller, (db) => findIntegration(db, caller.workspaceId, params.integration_id)))
