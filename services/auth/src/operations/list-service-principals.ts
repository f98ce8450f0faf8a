import type { auth, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import {
  cursorOfServicePrincipal,
  findRemovedCreators,
  listServicePrincipals as listServicePrincipalRows,
} from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Lists the service principals of the workspace, newest first. */
export const listServicePrincipals: Operation<typeof auth.listServicePrincipals, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { workspaceId } = caller
  const { rows, removed } = await database.read(caller, async (db, sql) => {
    const rows = await listServicePrincipalRows(db, workspaceId, query)
    return { rows, removed: await findRemovedCreators(sql, workspaceId, rows) }
  })
  const { items, nextCursor } = paginate(rows, query.limit, cursorOfServicePrincipal)
  return { items: items.map((row) => servicePrincipalView(row, removed)), nextCursor }
}
