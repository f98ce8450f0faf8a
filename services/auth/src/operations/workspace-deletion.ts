import { invalidField, problem } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Context, Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { loadCallerAuthority } from '../roles/caller-authority.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { lockMemberships } from '../store/workspaces/memberships.ts'
import {
  findDeletion,
  findRequestedDeletion,
  insertDeletion,
  moveDeletion,
  setWorkspaceDeleted,
  type WorkspaceDeletionRow,
} from '../store/workspaces/workspace-deletions.ts'
import { requireWorkspace } from '../store/workspaces/workspaces.ts'
import { coordinatorQueue, deletionView } from '../workspaces/workspace-deletion.ts'

/** Schedules the deletion of the workspace. Its credentials are refused from now on. */
export const deleteWorkspace: Operation<'deleteWorkspace'> = async (context, caller, { query: { confirm } }) => {
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

/** Returns the deletion of a workspace that the caller requested. */
export const getWorkspaceDeletion: Operation<'getWorkspaceDeletion'> = async (context, { principal }, { params }) =>
  deletionView(await requireRequestedDeletion(context, principal.id, params.workspace_id))

/** Returns the latest deletion of a workspace that a user requested. @throws Problem `not_found` */
async function requireRequestedDeletion(
  { database }: Pick<Context, 'database'>,
  userId: string,
  workspaceId: string,
): Promise<WorkspaceDeletionRow> {
  // The membership may be gone, and with it every access by workspace.
  const row = await findRequestedDeletion(workerQuery(database.extraPools.users), userId, workspaceId)
  if (row === undefined) throw problem('not_found')
  return row
}

/** Cancels the deletion of a workspace in its grace period; the credentials of the workspace are valid again. */
export const cancelWorkspaceDeletion: Operation<'cancelWorkspaceDeletion'> = async (
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
