import type { Tx } from '../store/client.ts'
import { findCustomRoleByNameOrId, type RoleGrant } from '../store/workspaces/roles.ts'
import { findBuiltInRole } from './built-in-roles.ts'

/** Finds a role by the name or identifier a caller sent: built-in roles first, then the workspace's custom roles. */
export async function findRoleByNameOrId(
  tx: Tx,
  workspaceId: string,
  nameOrId: string,
): Promise<(RoleGrant & { name: string }) | undefined> {
  const builtIn = findBuiltInRole(nameOrId)
  if (builtIn !== undefined) return { builtInRole: builtIn.name, roleId: null, scopes: null, name: builtIn.name }
  return await findCustomRoleByNameOrId(tx, workspaceId, nameOrId)
}
