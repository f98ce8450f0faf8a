import type { authUsers, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { workspaceUserView } from '../roles/views.ts'
import { cursorOfWorkspaceUser, listWorkspaceUsers } from '../store/workspaces/workspace-users.ts'

/** Lists the members and invited users of the workspace, newest first. */
export const listUsers: Operation<typeof authUsers.listUsers, Context> = async ({ database }, caller, { query }) => {
  const rows = await database.read(caller, (_db, sql) => listWorkspaceUsers(sql, caller.workspaceId, query))
  const { items, nextCursor } = paginate(rows, query.limit, cursorOfWorkspaceUser)
  return { items: items.map(workspaceUserView), nextCursor }
}
