import type { authUsers, Operation } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { type BuiltInRoleDefinition, builtInRolesAfter, cursorOfBuiltInRole } from '../roles/built-in-roles.ts'
import { builtInRoleView, customRoleView } from '../roles/views.ts'
import { cursorOfRole, listRoles as listRoleRows, type RoleRow } from '../store/workspaces/roles.ts'

type Entry = { builtIn: BuiltInRoleDefinition } | { own: RoleRow }

/** Lists the built-in roles, then the custom roles of the workspace, newest first. */
export const listRoles: Operation<typeof authUsers.listRoles, Context> = async ({ database }, caller, { query }) => {
  const { limit, cursor, built_in: wanted } = query
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const entries: Entry[] = wanted === false ? [] : builtInRolesAfter(after).map((builtIn) => ({ builtIn }))
  const remaining = limit + 1 - entries.length
  if (wanted !== true && remaining > 0) {
    const rows = await database.read(caller, (_db, sql) =>
      listRoleRows(sql, caller.workspaceId, { limit: remaining, cursor }),
    )
    entries.push(...rows.map((own) => ({ own })))
  }
  const { items, nextCursor } = paginate(entries, limit, cursorOf)
  return {
    items: items.map((entry) => ('own' in entry ? customRoleView(entry.own) : builtInRoleView(entry.builtIn))),
    nextCursor,
  }
}

const cursorOf = (entry: Entry) => ('own' in entry ? cursorOfRole(entry.own) : cursorOfBuiltInRole(entry.builtIn))
