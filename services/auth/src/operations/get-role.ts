import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { builtInNamed } from '../roles/built-in.ts'
import { builtInView, roleView } from '../roles/views.ts'
import { findRole } from '../store/roles.ts'

/** A role, of the workspace's own or one that every workspace has. */
export const getRole: Operation<typeof authUsers.getRole, Context> = async ({ database }, caller, { params }) => {
  const builtIn = builtInNamed(params.role_id)
  if (builtIn !== undefined) return builtInView(builtIn)
  return roleView(await database.read(caller, (_db, query) => findRole(query, caller.workspaceId, params.role_id)))
}
