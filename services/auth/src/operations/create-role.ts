import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { requireDistinctName } from '../roles/distinct-name.ts'
import { requireGrantableScopes } from '../roles/grantable-scopes.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { customRoleView } from '../roles/views.ts'
import { insertRole } from '../store/workspaces/roles.ts'

/** Creates a custom role. Its scopes cannot exceed those of the creator. */
export const createRole: Operation<typeof authUsers.createRole, Context> = async (context, caller, { body }) => {
  const { name, description = null } = body
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const scopes = requireGrantableScopes(authority.scopes, body.scopes)
    await requireDistinctName(tx, caller.workspaceId, { name })
    tx.audit({ changes: { name, scopes } })
    return customRoleView(await insertRole(tx, caller.workspaceId, { name, description, scopes }))
  })
}
