import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { administer } from '../roles/administer.ts'
import { builtInNamed } from '../roles/built-in.ts'
import { roleView } from '../roles/views.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { insertRole, nameTaken } from '../store/roles.ts'

/** Creates a role that allows no more than its creator may. */
export const createRole: Operation<typeof authUsers.createRole, Context> = async (context, caller, { body }) => {
  const { name, description = null } = body
  return await administer(context, caller, async (tx, authority) => {
    const scopes = grantWithin(authority.scopes, body.scopes)
    if (builtInNamed(name) !== undefined) throw nameTaken()
    tx.audit({ changes: { name, scopes } })
    return roleView(await insertRole(tx, caller.workspaceId, { name, description, scopes }))
  })
}
