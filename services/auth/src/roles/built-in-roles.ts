import { type BuiltInRole, builtInRoles, type Scope } from '@wp/contracts'
import type { Cursor } from '@wp/database'
import type { Tx } from '../store/client.ts'
import { findCustomRoleByNameOrId, type RoleGrant } from '../store/workspaces/roles.ts'

/** A role that every workspace has. */
export interface BuiltInRoleDefinition {
  name: BuiltInRole
  scopes: readonly Scope[]
}

/** Built-in roles, in the order of the contracts: most permissions first. */
export const builtInRoleDefinitions: readonly BuiltInRoleDefinition[] = Object.entries(builtInRoles).map(
  ([name, scopes]) => ({
    name: name as BuiltInRole, // the keys of a constant object are exactly its declared names
    scopes,
  }),
)

/** Finds a built-in role by its case-insensitive name. */
export const findBuiltInRole = (roleName: string): BuiltInRoleDefinition | undefined =>
  builtInRoleDefinitions.find(({ name }) => name === roleName.toLowerCase())

/** Latest time a cursor can hold: in a newest-first list, built-in roles come first, in their order. */
const maxTimestampMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Returns the sort key of a built-in role in the list of roles. */
export const cursorOfBuiltInRole = ({ name }: BuiltInRoleDefinition): Cursor => ({
  createdAt: new Date(maxTimestampMs - builtInRoleDefinitions.findIndex((one) => one.name === name)),
  id: name,
})

/** Returns the built-in roles after a cursor; all of them without one. */
export const builtInRolesAfter = (cursor: Cursor | undefined): readonly BuiltInRoleDefinition[] =>
  cursor === undefined
    ? builtInRoleDefinitions
    : builtInRoleDefinitions.filter((one) => cursorOfBuiltInRole(one).createdAt < cursor.createdAt)

/** Returns the scopes of a built-in or custom role; none for a built-in name that the contracts no longer define. */
export const scopesOfRole = ({
  builtInRole: builtIn,
  scopes,
}: Pick<RoleGrant, 'builtInRole' | 'scopes'>): readonly string[] =>
  builtIn === null ? (scopes ?? []) : (Object.entries(builtInRoles).find(([name]) => name === builtIn)?.[1] ?? [])

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
