import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { findBuiltInRole } from '../roles/built-in-roles.ts'
import { requireDistinctName } from '../roles/distinct-name.ts'
import { requireGrantableScopes } from '../roles/grantable-scopes.ts'
import { transactAsAdmin, withUnknownReferenceError } from '../roles/transact-as-admin.ts'
import { customRoleView } from '../roles/views.ts'
import { requireRole, updateRole as updateRoleRow } from '../store/workspaces/roles.ts'

/**
 * Updates a custom role. Neither its old nor its new scopes may exceed those of the caller. Cached identities of the
 * workspace are invalidated, because any of them may have the role.
 */
export const updateRole: Operation<typeof authUsers.updateRole, Context> = async (context, caller, input) => {
  const { role_id: roleId } = input.params
  rejectBuiltInRole(roleId)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await requireRole(tx.query, caller.workspaceId, roleId)
    requireGrantableScopes(authority.scopes, before.scopes)
    const scopes = requireGrantableScopes(authority.scopes, input.body.scopes ?? before.scopes)
    const { name = before.name, description = before.description } = input.body
    if (name !== before.name) await requireDistinctName(tx, caller.workspaceId, { name, ownId: roleId })
    const after = await updateRoleRow(tx, caller.workspaceId, roleId, { name, description, scopes })
    tx.audit({ changes: input.body })
    if (input.body.scopes !== undefined) publishInvalidation(context, tx, { workspace_id: caller.workspaceId })
    return customRoleView(after)
  })
}

/** Updates the role named in the body. */
export const updateRoleNamed: Operation<typeof authUsers.updateRoleNamed, Context> = async (
  context,
  caller,
  { body: { role_id, ...body } },
) =>
  await withUnknownReferenceError(
    '/role_id',
    updateRole(context, caller, { params: { role_id }, query: {}, headers: {}, body }),
  )

/** Rejects changes to a built-in role. @throws Problem `conflict` */
export function rejectBuiltInRole(roleId: string): void {
  if (findBuiltInRole(roleId) !== undefined)
    throw problem('conflict', { detail: 'A built-in role cannot be changed or deleted' })
}
