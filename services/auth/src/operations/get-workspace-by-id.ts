import { type Operation, problem, type systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findWorkspaceOfUser, requireWorkspace } from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Returns a workspace of the caller: any that a user is a member of, the one workspace of any other principal. */
export const getWorkspaceById: Operation<typeof systemWorkspaces.getWorkspaceById, Context> = async (
  { database },
  { principal, workspaceId: ownWorkspaceId },
  { params: { workspace_id: workspaceId } },
) => {
  if (principal.type === 'user') {
    const row = await findWorkspaceOfUser(database.extraPools.users, principal.id, workspaceId)
    if (row === undefined) throw problem('not_found')
    return workspaceView(row)
  }
  if (workspaceId !== ownWorkspaceId) throw problem('not_found')
  return workspaceView(
    await database.read({ workspaceId }, (_db, query) => requireWorkspace(query, workspaceId, principal.id)),
  )
}
