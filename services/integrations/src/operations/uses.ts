import type { InputOf, integrationsInternal } from '@wp/contracts'
import type { ConnectionResult } from '../connections/connection-state.ts'
import { recordConnectionResult } from '../connections/connection-state.ts'
import { requireWorkspaceId } from '../connections/require-workspace.ts'
import type { Operation } from '../context.ts'
import { findIntegration, lockIntegration } from '../store/integrations.ts'
import { deleteUse, insertUse } from '../store/uses.ts'
import { integrationView } from './read-integrations.ts'

export const registerUse: Operation<'registerUse'> = ({ database }, caller, { params: { integration_id: id }, body }) =>
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

/** Releases a use. Succeeds if the integration or the use does not exist. */
export const releaseUse: Operation<'releaseUse'> = (
  { database },
  caller,
  { params: { integration_id: integrationId, ...use } },
) =>
  database.transact(caller, async (tx) => {
    await deleteUse(tx.db, requireWorkspaceId(caller), integrationId, use)
    return { id: use.id }
  })

/** Updates the status of an integration by the result of a use. Ignores results of an older revision. */
export const reportUse: Operation<'reportUse'> = ({ database, now }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, requireWorkspaceId(caller), params.integration_id)
    const isCurrent = body.revision === undefined || body.revision === row.revision
    const updated = isCurrent ? await recordConnectionResult(tx, row, resultOf(body), new Date(now())) : row
    return { integration_id: params.integration_id, status: updated.status }
  })

function resultOf({ outcome, message }: InputOf<typeof integrationsInternal.reportUse>['body']): ConnectionResult {
  if (outcome === 'ok') return { result: 'ok' }
  return outcome === 'unauthorized'
    ? {
        result: 'failed',
        code: 'unauthorized',
        message: message ?? 'The provider rejected the credentials',
        isPermanent: true,
      }
    : {
        result: 'failed',
        code: 'unavailable',
        message: message ?? 'The provider could not be used',
        isPermanent: false,
      }
}
