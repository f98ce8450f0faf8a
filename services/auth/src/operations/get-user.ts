import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { workspaceUserView } from '../roles/views.ts'
import { getWorkspaceUser } from '../store/workspaces/workspace-users.ts'

/** Returns a member or an invited user. */
export const getUser: Operation<typeof authUsers.getUser, Context> = async ({ database }, caller, { params }) =>
  workspaceUserView(
    await database.read(caller, (_db, query) => getWorkspaceUser(query, caller.workspaceId, params.user_id)),
  )
