import type { auth, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import {
  cursorOfServicePrincipal,
  listServicePrincipals as listServicePrincipalRows,
} from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Lists the service principals of the workspace, newest first. */
export const listServicePrincipals: Operation<typeof auth.listServicePrincipals, Context> = async (
  { database },
  caller,
  { query },
) => {
  const rows = await database.read(caller, (db) => listServicePrincipalRows(db, caller.workspaceId, query))
  const { items, nextCursor } = paginate(rows, query.limit, cursorOfServicePrincipal)
  return { items: items.map(servicePrincipalView), nextCursor }
}
