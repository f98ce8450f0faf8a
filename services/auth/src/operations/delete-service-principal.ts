import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { deleteServicePrincipal as erase, lockServicePrincipal } from '../store/credentials/service-principals.ts'

/** Deletes a service principal: no new tokens, and those it has are refused. */
export const deleteServicePrincipal: Operation<typeof auth.deleteServicePrincipal, Context> = async (
  context,
  caller,
  { params },
) =>
  await context.database.transact(caller, async (tx) => {
    const { clientId } = await lockServicePrincipal(tx, caller.workspaceId, params.client_id)
    await erase(tx, clientId)
    publishInvalidation(context, tx, { principal_id: clientId })
    return { id: clientId }
  })
