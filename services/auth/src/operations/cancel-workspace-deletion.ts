import { type Operation, problem, type systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { findDeletion, moveDeletion, setWorkspaceDeleted } from '../store/workspaces/workspace-deletions.ts'
import { deletionView } from '../workspaces/deletion/deletion-view.ts'
import { requireRequestedDeletion } from './get-workspace-deletion.ts'

/** Cancels the deletion of a workspace in its grace period; the credentials of the workspace are valid again. */
export const cancelWorkspaceDeletion: Operation<typeof systemWorkspaces.cancelWorkspaceDeletion, Context> = async (
  context,
  caller,
  { params: { workspace_id: workspaceId } },
) => {
  const { deletionId, shard } = await requireRequestedDeletion(context, caller.principal.id, workspaceId)
  return await context.database.transact({ ...caller, workspaceId: null }, async (tx) => {
    await tx.switchWorkspace({ workspaceId, shard })
    if (!(await moveDeletion(tx.query, deletionId, 'scheduled', 'cancelled')))
      throw problem('conflict', { detail: 'The deletion is not in its grace period any more' })
    await setWorkspaceDeleted(tx.query, workspaceId, false)
    publishInvalidation(context, tx, { workspace_id: workspaceId })
    publishInvalidation(context, tx, { principal_id: caller.principal.id })
    const deletion = await findDeletion(tx.query, deletionId)
    if (deletion === undefined) throw problem('not_found')
    return deletionView(deletion)
  })
}
