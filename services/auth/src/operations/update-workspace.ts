import type { authInternal, Operation } from '@wp/contracts'
import { mergeMetadata } from '@wp/database'
import type { Context } from '../context.ts'
import { updateWorkspace as change, findWorkspace, lockMetadata } from '../store/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Renames the workspace or merges its metadata. An identity holds neither, so none goes stale. */
export const updateWorkspace: Operation<typeof authInternal.updateWorkspace, Context> = async (
  { database },
  caller,
  { body },
) =>
  await database.transact(caller, async (tx) => {
    const { name, metadata } = body
    const current = await lockMetadata(tx, caller.workspaceId)
    const merged = metadata === undefined ? undefined : mergeMetadata(current, metadata)
    await change(tx, caller.workspaceId, { name, metadata: merged })
    return workspaceView(await findWorkspace(tx.query, caller.workspaceId, caller.principal.id))
  })
