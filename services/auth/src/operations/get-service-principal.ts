import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { requireServicePrincipal } from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Returns a service principal without its secret. */
export const getServicePrincipal: Operation<typeof auth.getServicePrincipal, Context> = async (
  { database },
  caller,
  { params },
) =>
  servicePrincipalView(
    await database.read(caller, (db) => requireServicePrincipal(db, caller.workspaceId, params.client_id)),
  )
