import type { Operation, systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { requireWorkspace } from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Returns the workspace of the request with the caller's role. */
export const getWorkspace: Operation<typeof systemWorkspaces.getWorkspace, Context> = async ({ database }, caller) =>
  workspaceView(
    await database.read(caller, (_db, query) => requireWorkspace(query, caller.workspaceId, caller.principal.id)),
  )
