import type { integrationsInternal, Operation } from '@wp/contracts'
import { requireWorkspaceId } from '../connections/require-workspace.ts'
import type { Context } from '../context.ts'
import { findIntegration } from '../store/integrations.ts'
import { insertUse } from '../store/uses.ts'
import { integrationView } from '../views.ts'

export const registerUse: Operation<typeof integrationsInternal.registerUse, Context> = (
  { database },
  caller,
  { params: { integration_id: id }, body },
) =>
  database.transact(caller, async (tx) => {
    const workspaceId = requireWorkspaceId(caller)
    // Prevents a concurrent deletion.
    await tx.query('SELECT FROM integrations WHERE workspace_id = $1 AND integration_id = $2 FOR KEY SHARE', [
      workspaceId,
      id,
    ])
    const row = await findIntegration(tx.db, workspaceId, id)
    await insertUse(tx.db, workspaceId, id, body)
    return integrationView(row)
  })
