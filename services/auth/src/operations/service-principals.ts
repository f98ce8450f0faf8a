import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { revokePortalKeys } from '../roles/portal-keys.ts'
import {
  deleteServicePrincipalRow,
  findRemovedCreators,
  listServicePrincipalRows,
  lockServicePrincipal,
  requireServicePrincipal,
} from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

export const listServicePrincipals: Operation<'listServicePrincipals'> = async ({ database }, caller, { query }) => {
  const { workspaceId } = caller
  return await database.read(caller, async (db, sql) => {
    const page = await listServicePrincipalRows(db, workspaceId, query)
    const removed = await findRemovedCreators(sql, workspaceId, page.items)
    return mapPage(page, (row) => servicePrincipalView(row, removed))
  })
}

export const getServicePrincipal: Operation<'getServicePrincipal'> = async ({ database }, caller, { params }) =>
  await database.read(caller, async (db, query) => {
    const principal = await requireServicePrincipal(db, caller.workspaceId, params.client_id)
    return servicePrincipalView(principal, await findRemovedCreators(query, caller.workspaceId, [principal]))
  })

export const deleteServicePrincipal: Operation<'deleteServicePrincipal'> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const { clientId } = await lockServicePrincipal(tx, caller.workspaceId, params.client_id)
    await deleteServicePrincipalRow(tx, clientId)
    await revokePortalKeys(context, tx, caller.workspaceId, { createdBy: clientId })
    publishInvalidation(context, tx, { principal_id: clientId })
    return { id: clientId }
  })
