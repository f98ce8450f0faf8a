import { invalidField, type Operation, problem, type systemWorkspaces } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { loadCallerAuthority } from '../roles/caller-authority.ts'
import { lockMemberships } from '../store/workspaces/memberships.ts'
import { findDeletion, insertDeletion, setWorkspaceDeleted } from '../store/workspaces/workspace-deletions.ts'
import { requireWorkspace } from '../store/workspaces/workspaces.ts'
import { coordinatorQueue } from '../workspaces/deletion/deletion-coordinator.ts'
import { deletionView } from '../workspaces/deletion/deletion-view.ts'

/** Schedules the deletion of the workspace. Its credentials are refused from now on. */
export const deleteWorkspace: Operation<typeof systemWorkspaces.deleteWorkspace, Context> = async (
  context,
  caller,
  { query: { confirm } },
) => {
  const { workspaceId, shard, principal } = caller
  return await context.database.transact(caller, async (tx) => {
    if (!(await lockMemberships(tx, workspaceId))) throw problem('not_found')
    const { name } = await requireWorkspace(tx.query, workspaceId, principal.id)
    if (confirm !== workspaceId && confirm !== name)
      throw invalidField('/confirm', 'must be the name or id of the workspace to delete')
    const { isOwner } = await loadCallerAuthority(tx, caller, 'workspace:write')
    if (!isOwner) throw problem('owner_required', { detail: 'Only an owner can delete the workspace' })
    const deletionId = newId('wdel')
    await setWorkspaceDeleted(tx.query, workspaceId, true)
    await insertDeletion(
      tx.query,
      { deletionId, workspaceId, shard, requestedBy: principal.id },
      context.workspaceDeletionGraceMs,
    )
    publishInvalidation(context, tx, { workspace_id: workspaceId })
    tx.wake(coordinatorQueue)
    const deletion = await findDeletion(tx.query, deletionId)
    if (deletion === undefined) throw new Error('the deletion just inserted is missing')
    return deletionView(deletion)
  })
}
