import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findBuiltInRole } from '../roles/built-in-roles.ts'
import { builtInRoleView, customRoleView } from '../roles/views.ts'
import { requireRole } from '../store/workspaces/roles.ts'

/** Returns a built-in or custom role. */
export const getRole: Operation<typeof authUsers.getRole, Context> = async ({ database }, caller, { params }) => {
  const builtIn = findBuiltInRole(params.role_id)
  if (builtIn !== undefined) return builtInRoleView(builtIn)
  return customRoleView(
    await database.read(caller, (_db, query) => requireRole(query, caller.workspaceId, params.role_id)),
  )
}
