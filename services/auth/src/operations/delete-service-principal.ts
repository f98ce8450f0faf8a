import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import {
  deleteServicePrincipal as deleteServicePrincipalRow,
  lockServicePrincipal,
} from '../store/credentials/service-principals.ts'

/** Deletes a service principal and thereby revokes its tokens. */
export const deleteServicePrincipal: Operation<typeof auth.deleteServicePrincipal, Context> = async (
  context,
  caller,
  { params },
) =>
  await context.database.transact(caller, async (tx) => {
    const { clientId } = await lockServicePrincipal(tx, caller.workspaceId, params.client_id)
    await deleteServicePrincipalRow(tx, clientId)
    publishInvalidation(context, tx, { principal_id: clientId })
    return { id: clientId }
  })
