import type { authUsers, Operation } from '@wp/contracts'
import { decodeCursor, page } from '@wp/database'
import type { Context } from '../context.ts'
import { type BuiltIn, builtInsAfter, cursorOfBuiltIn } from '../roles/built-in.ts'
import { builtInView, roleView } from '../roles/views.ts'
import { cursorOfRole, listRoles as list, type RoleRow } from '../store/roles.ts'

type Entry = { builtIn: BuiltIn } | { own: RoleRow }

/** The roles of the workspace: those that every one has, then its own, newest first. */
export const listRoles: Operation<typeof authUsers.listRoles, Context> = async ({ database }, caller, { query }) => {
  const { limit, cursor, built_in: wanted } = query
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const entries: Entry[] = wanted === false ? [] : builtInsAfter(after).map((builtIn) => ({ builtIn }))
  const room = limit + 1 - entries.length
  if (wanted !== true && room > 0) {
    const rows = await database.read(caller, (_db, sql) => list(sql, caller.workspaceId, { limit: room, cursor }))
    entries.push(...rows.map((own) => ({ own })))
  }
  const { items, nextCursor } = page(entries, limit, cursorOf)
  return {
    items: items.map((entry) => ('own' in entry ? roleView(entry.own) : builtInView(entry.builtIn))),
    nextCursor,
  }
}

const cursorOf = (entry: Entry) => ('own' in entry ? cursorOfRole(entry.own) : cursorOfBuiltIn(entry.builtIn))
