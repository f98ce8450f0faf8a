import type { integrationsInternal, Operation } from '@wp/contracts'
import { inWorkspace } from '../connections/workspace.ts'
import type { Context } from '../context.ts'
import { removeUse } from '../store/uses.ts'

/** Also where the integration is gone: to whoever lets go of it that is the same. */
export const releaseUse: Operation<typeof integrationsInternal.releaseUse, Context> = (
  { database },
  caller,
  { params: { integration_id: integrationId, ...use } },
) =>
  database.transact(caller, async (tx) => {
    await removeUse(tx.db, inWorkspace(caller), integrationId, use)
    return { id: use.id }
  })
