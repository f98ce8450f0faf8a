import type { integrationsInternal, Operation } from '@wp/contracts'
import { requireWorkspaceId } from '../connections/require-workspace.ts'
import type { Context } from '../context.ts'
import { deleteUse } from '../store/uses.ts'

/** Releases a use. Succeeds if the integration or the use does not exist. */
export const releaseUse: Operation<typeof integrationsInternal.releaseUse, Context> = (
  { database },
  caller,
  { params: { integration_id: integrationId, ...use } },
) =>
  database.transact(caller, async (tx) => {
    await deleteUse(tx.db, requireWorkspaceId(caller), integrationId, use)
    return { id: use.id }
  })
