import type { authUsers, Operation } from '@wp/contracts'
import { page } from '@wp/database'
import type { Context } from '../context.ts'
import { personView } from '../roles/views.ts'
import { cursorOfPerson, listPeople } from '../store/people.ts'

/** The members of the workspace and those who are invited, who came last first. */
export const listUsers: Operation<typeof authUsers.listUsers, Context> = async ({ database }, caller, { query }) => {
  const rows = await database.read(caller, (_db, sql) => listPeople(sql, caller.workspaceId, query))
  const { items, nextCursor } = page(rows, query.limit, cursorOfPerson)
  return { items: items.map(personView), nextCursor }
}
