import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { administer, namedInBody } from '../roles/administer.ts'
import { builtInNamed } from '../roles/built-in.ts'
import { roleView } from '../roles/views.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { updateRole as change, findRole, nameTaken } from '../store/roles.ts'

/**
 * Changes a role: what it allowed before and what it allows now must be the caller's to give. Everybody who has it is
 * asked about anew.
 */
export const updateRole: Operation<typeof authUsers.updateRole, Context> = async (context, caller, input) => {
  const { role_id: roleId } = input.params
  refuseBuiltIn(roleId)
  return await administer(context, caller, async (tx, authority) => {
    const before = await findRole(tx.query, caller.workspaceId, roleId)
    grantWithin(authority.scopes, before.scopes)
    const scopes = grantWithin(authority.scopes, input.body.scopes ?? before.scopes)
    const { name = before.name, description = before.description } = input.body
    if (builtInNamed(name) !== undefined) throw nameTaken()
    const after = await change(tx, caller.workspaceId, roleId, { name, description, scopes })
    tx.audit({ changes: input.body })
    if (input.body.scopes !== undefined) invalidate(context, tx, { workspace_id: caller.workspaceId })
    return roleView(after)
  })
}

/** The same, for those who name the role in the body. */
export const updateRoleNamed: Operation<typeof authUsers.updateRoleNamed, Context> = async (
  context,
  caller,
  { body: { role_id, ...body } },
) => await namedInBody('/role_id', updateRole(context, caller, { params: { role_id }, query: {}, headers: {}, body }))

/** @throws Problem `conflict` */
export function refuseBuiltIn(roleId: string): void {
  if (builtInNamed(roleId) !== undefined)
    throw problem('conflict', { detail: 'A role that every workspace has cannot be changed or deleted' })
}
