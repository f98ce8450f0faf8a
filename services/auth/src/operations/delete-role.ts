import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { requireGrantableScopes } from '../roles/grantable-scopes.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { deleteRole as deleteRoleRow, requireRole } from '../store/workspaces/roles.ts'
import { rejectBuiltInRole } from './update-role.ts'

/** Deletes a custom role without members and invitations, whose scopes do not exceed those of the caller. */
export const deleteRole: Operation<typeof authUsers.deleteRole, Context> = async (context, caller, { params }) => {
  const { role_id: roleId } = params
  rejectBuiltInRole(roleId)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const { name, scopes } = await requireRole(tx.query, caller.workspaceId, roleId)
    requireGrantableScopes(authority.scopes, scopes)
    if (!(await deleteRoleRow(tx, caller.workspaceId, roleId))) throw problem('role_in_use')
    tx.audit({ targets: [{ type: 'role', id: roleId }], changes: { name } })
    return { id: roleId }
  })
}

/** Deletes the role named in the query. */
export const deleteRoleNamed: Operation<typeof authUsers.deleteRoleNamed, Context> = async (
  context,
  caller,
  { query: { role_id } },
) => await deleteRole(context, caller, { params: { role_id }, query: {}, headers: {}, body: undefined })
