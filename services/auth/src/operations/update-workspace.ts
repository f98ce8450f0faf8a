import type { authInternal, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { updateWorkspace as change, findWorkspace } from '../store/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Renames the workspace or replaces its metadata; null clears it. An identity holds neither, so none goes stale. */
export const updateWorkspace: Operation<typeof authInternal.updateWorkspace, Context> = async (
  { database },
  caller,
  { body },
) =>
  await database.transact(caller, async (tx) => {
    const { name, metadata } = body
    await change(tx, caller.workspaceId, { name, metadata: metadata === null ? {} : metadata })
    return workspaceView(await findWorkspace(tx.query, caller.workspaceId, caller.principal.id))
  })
