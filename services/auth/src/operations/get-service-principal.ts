import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findRemovedCreators, requireServicePrincipal } from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Returns a service principal without its secret. */
export const getServicePrincipal: Operation<typeof auth.getServicePrincipal, Context> = async (
  { database },
  caller,
  { params },
) =>
  await database.read(caller, async (db, query) => {
    const principal = await requireServicePrincipal(db, caller.workspaceId, params.client_id)
    return servicePrincipalView(principal, await findRemovedCreators(query, caller.workspaceId, [principal]))
  })
