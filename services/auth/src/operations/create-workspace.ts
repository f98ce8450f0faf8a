import type { authInternal, Operation } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { findUser } from '../store/users.ts'
import { findWorkspace, insertWorkspace } from '../store/workspaces.ts'
import { workspaceView } from '../views.ts'
import { slugsFor } from '../workspaces/slug.ts'

/** Creates a workspace that the calling user owns. */
export const createWorkspace: Operation<typeof authInternal.createWorkspace, Context> = async (
  context,
  caller,
  { body: { name, metadata = {} } },
) => {
  const ownerId = caller.principal.id
  return await context.database.transact(caller, async (tx) => {
    await findUser(tx.db, ownerId)
    const workspaceId = newId('ws')
    await insertWorkspace(
      tx,
      { workspaceId, name, ...context.homes.of(workspaceId), metadata, ownerId },
      slugsFor(name),
    )
    // The user's next request may go to the new workspace: what is remembered of them does not name it.
    invalidate(context, tx, { principal_id: ownerId })
    return workspaceView(await findWorkspace(tx.query, workspaceId, ownerId))
  })
}
