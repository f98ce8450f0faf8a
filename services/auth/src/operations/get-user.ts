import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { workspaceUserView } from '../roles/views.ts'
import { requireWorkspaceUser } from '../store/workspaces/workspace-users.ts'

/** Returns a member or an invited user. */
export const getUser: Operation<typeof authUsers.getUser, Context> = async ({ database }, caller, { params }) =>
  workspaceUserView(
    await database.read(caller, (_db, query) => requireWorkspaceUser(query, caller.workspaceId, params.user_id)),
  )
