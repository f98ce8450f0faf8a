import type { Operation, systemWorkspaces } from '@wp/contracts'
import { mergeMetadata } from '@wp/database'
import type { Context } from '../context.ts'
import {
  lockWorkspaceMetadata,
  requireWorkspace,
  updateWorkspace as updateWorkspaceRow,
} from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/**
 * Renames the workspace, merges its metadata or changes its settings. Needs no invalidation: identities contain none of
 * these.
 */
export const updateWorkspace: Operation<typeof systemWorkspaces.updateWorkspace, Context> = async (
  { database },
  caller,
  { body },
) =>
  await database.transact(caller, async (tx) => {
    const { name, metadata, settings } = body
    const current = await lockWorkspaceMetadata(tx, caller.workspaceId)
    const merged = metadata === undefined ? undefined : mergeMetadata(current, metadata)
    await updateWorkspaceRow(tx, caller.workspaceId, { name, metadata: merged, ...settings })
    return workspaceView(await requireWorkspace(tx.query, caller.workspaceId, caller.principal.id))
  })
