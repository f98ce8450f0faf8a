import { newId } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { enforceWorkspaceQuota } from '../store/quotas.ts'
import { requireUser } from '../store/users.ts'
import { insertWorkspace, requireWorkspace } from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

export const createWorkspace: Operation<'createWorkspace'> = async (
  context,
  caller,
  { body: { name, metadata = {} } },
) => {
  const ownerId = caller.principal.id
  // Outside any workspace: the edge infers one for a user with a single workspace, and that would change the
  // idempotency key of a repeated request as soon as the user has two.
  return await context.database.transact({ ...caller, workspaceId: null }, async (tx) => {
    await requireUser(tx.db, ownerId)
    const workspaceId = newId('ws')
    await insertWorkspace(tx, {
      workspaceId,
      name,
      ...context.shardPlacement.placementFor(workspaceId),
      metadata,
      ownerId,
    })
    await enforceWorkspaceQuota(tx.query, ownerId)
    // Cached identities of the user do not contain the new workspace, which the next request may need.
    publishInvalidation(context, tx, { principal_id: ownerId })
    return workspaceView(await requireWorkspace(tx.query, workspaceId, ownerId))
  })
}
