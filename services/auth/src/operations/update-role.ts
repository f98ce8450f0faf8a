import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { findBuiltInRole } from '../roles/built-in-roles.ts'
import { requireGrantableScopes } from '../roles/grantable-scopes.ts'
import { transactAsAdmin, withUnknownReferenceError } from '../roles/transact-as-admin.ts'
import { customRoleView } from '../roles/views.ts'
import { updateRole as change, findRole, nameTakenProblem } from '../store/workspaces/roles.ts'

/**
 * Changes a role: what it allowed before and what it allows now must be the caller's to give. Everybody who has it is
 * asked about anew.
 */
export const updateRole: Operation<typeof authUsers.updateRole, Context> = async (context, caller, input) => {
  const { role_id: roleId } = input.params
  rejectBuiltInRole(roleId)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await findRole(tx.query, caller.workspaceId, roleId)
    requireGrantableScopes(authority.scopes, before.scopes)
    const scopes = requireGrantableScopes(authority.scopes, input.body.scopes ?? before.scopes)
    const { name = before.name, description = before.description } = input.body
    if (findBuiltInRole(name) !== undefined) throw nameTakenProblem()
    const after = await change(tx, caller.workspaceId, roleId, { name, description, scopes })
    tx.audit({ changes: input.body })
    if (input.body.scopes !== undefined) publishInvalidation(context, tx, { workspace_id: caller.workspaceId })
    return customRoleView(after)
  })
}

/** The same, for those who name the role in the body. */
export const updateRoleNamed: Operation<typeof authUsers.updateRoleNamed, Context> = async (
  context,
  caller,
  { body: { role_id, ...body } },
) =>
  await withUnknownReferenceError(
    '/role_id',
    updateRole(context, caller, { params: { role_id }, query: {}, headers: {}, body }),
  )

/** @throws Problem `conflict` */
export function rejectBuiltInRole(roleId: string): void {
  if (findBuiltInRole(roleId) !== undefined)
    throw problem('conflict', { detail: 'A role that every workspace has cannot be changed or deleted' })
}
