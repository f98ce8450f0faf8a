import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { findRoleByNameOrId } from '../roles/built-in-roles.ts'
import { assertCanAssignRole, assertCanManageRole } from '../roles/caller-authority.ts'
import { transactAsAdmin, withUnknownReferenceError } from '../roles/transact-as-admin.ts'
import { workspaceUserView } from '../roles/views.ts'
import { updateInvitationRole } from '../store/workspaces/invitations.ts'
import { updateMembershipRole } from '../store/workspaces/memberships.ts'
import { listWorkspaceUsers, requireWorkspaceUser } from '../store/workspaces/workspace-users.ts'
import { unknownRoleProblem } from './invite-user.ts'

export const listUsers: Operation<'listUsers'> = async ({ database }, caller, { query }) => {
  const page = await database.read(caller, (_db, sql) => listWorkspaceUsers(sql, caller.workspaceId, query))
  return mapPage(page, workspaceUserView)
}

export const getUser: Operation<'getUser'> = async ({ database }, { workspaceId }, { params: { user_id: id } }) =>
  workspaceUserView(
    await database.read({ workspaceId }, (_db, query) => requireWorkspaceUser(query, workspaceId, id, 'invited_id')),
  )

/** Assigns another role to a member or invited user. Neither the old nor the new role may exceed the caller's. */
export const updateUser: Operation<'updateUser'> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const user = await requireWorkspaceUser(tx.query, workspaceId, userId)
    if (input.body.role === undefined) return workspaceUserView(user)
    const role = await findRoleByNameOrId(tx, workspaceId, input.body.role)
    if (role === undefined) throw unknownRoleProblem()
    assertCanManageRole(authority, user)
    assertCanAssignRole(authority, role)
    if (user.status === 'active') await updateMembershipRole(tx, workspaceId, userId, role)
    else await updateInvitationRole(tx, workspaceId, userId, role)
    tx.audit({ changes: { role: role.name, role_before: user.role } })
    publishInvalidation(context, tx, { principal_id: userId })
    return workspaceUserView(await requireWorkspaceUser(tx.query, workspaceId, userId))
  })
}

export const updateUserNamed: Operation<'updateUserNamed'> = async (context, caller, { body: { user_id, ...body } }) =>
  await withUnknownReferenceError(
    '/user_id',
    updateUser(context, caller, { params: { user_id }, query: {}, headers: {}, body }),
  )
