import type { Operation, systemWorkspaces } from '@wp/contracts'
import { mergeMetadata } from '@wp/database'
import type { Context } from '../context.ts'
import { updateWorkspace as change, findWorkspace, lockWorkspaceMetadata } from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Renames the workspace or merges its metadata. An identity holds neither, so none goes stale. */
export const updateWorkspace: Operation<typeof systemWorkspaces.updateWorkspace, Context> = async (
  { database },
  caller,
  { body },
) =>
  await database.transact(caller, async (tx) => {
    const { name, metadata } = body
    const current = await lockWorkspaceMetadata(tx, caller.workspaceId)
    const merged = metadata === undefined ? undefined : mergeMetadata(current, metadata)
    await change(tx, caller.workspaceId, { name, metadata: merged })
    return workspaceView(await findWorkspace(tx.query, caller.workspaceId, caller.principal.id))
  })
