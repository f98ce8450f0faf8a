import { type BuiltInRole, builtInRoles, type Scope } from '@wp/contracts'
import type { Cursor } from '@wp/database'

/** A role that every workspace has. */
export interface BuiltInRoleDefinition {
  name: BuiltInRole
  scopes: readonly Scope[]
}

/** The roles that every workspace has, the mightiest first. */
export const builtInRoleDefinitions: readonly BuiltInRoleDefinition[] = Object.entries(builtInRoles).map(
  ([name, scopes]) => ({
    name: name as BuiltInRole, // the keys of a constant object are exactly its declared names
    scopes,
  }),
)

/** The one that a word names, in whatever case. */
export const findBuiltInRole = (roleName: string): BuiltInRoleDefinition | undefined =>
  builtInRoleDefinitions.find(({ name }) => name === roleName.toLowerCase())

/** The end of the time that a cursor can hold: in a list that begins with the newest they come first, in their order. */
const maxTimestampMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Where a built-in role stands in the list of roles. */
export const cursorOfBuiltInRole = ({ name }: BuiltInRoleDefinition): Cursor => ({
  createdAt: new Date(maxTimestampMs - builtInRoleDefinitions.findIndex((one) => one.name === name)),
  id: name,
})

/** The built-in roles that come after a cursor. */
export const builtInRolesAfter = (cursor: Cursor | undefined): readonly BuiltInRoleDefinition[] =>
  cursor === undefined
    ? builtInRoleDefinitions
    : builtInRoleDefinitions.filter((one) => cursorOfBuiltInRole(one).createdAt < cursor.createdAt)
