import { type BuiltInRole, builtInRoles, type Scope } from '@wp/contracts'
import type { Cursor } from '@wp/database'

/** A role that every workspace has. */
export interface BuiltIn {
  name: BuiltInRole
  scopes: readonly Scope[]
}

/** The roles that every workspace has, the mightiest first. */
export const builtIns: readonly BuiltIn[] = Object.entries(builtInRoles).map(([name, scopes]) => ({
  name: name as BuiltInRole, // the keys of a constant object are exactly its declared names
  scopes,
}))

/** The one that a word names, in whatever case. */
export const builtInNamed = (word: string): BuiltIn | undefined =>
  builtIns.find(({ name }) => name === word.toLowerCase())

/** The end of the time that a cursor can hold: in a list that begins with the newest they come first, in their order. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Where a built-in role stands in the list of roles. */
export const cursorOfBuiltIn = ({ name }: BuiltIn): Cursor => ({
  createdAt: new Date(latest - builtIns.findIndex((one) => one.name === name)),
  id: name,
})

/** The built-in roles that come after a cursor. */
export const builtInsAfter = (cursor: Cursor | undefined): readonly BuiltIn[] =>
  cursor === undefined ? builtIns : builtIns.filter((one) => cursorOfBuiltIn(one).createdAt < cursor.createdAt)
