import { type Operation, problem, type systemWorkspaces } from '@wp/contracts'
import type { Context } from '../context.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { findRequestedDeletion, type WorkspaceDeletionRow } from '../store/workspaces/workspace-deletions.ts'
import { deletionView } from '../workspaces/deletion/deletion-view.ts'

/** Returns the deletion of a workspace that the caller requested. */
export const getWorkspaceDeletion: Operation<typeof systemWorkspaces.getWorkspaceDeletion, Context> = async (
  context,
  { principal },
  { params },
) => deletionView(await requireRequestedDeletion(context, principal.id, params.workspace_id))

/** Returns the latest deletion of a workspace that a user requested. @throws Problem `not_found` */
export async function requireRequestedDeletion(
  { database }: Pick<Context, 'database'>,
  userId: string,
  workspaceId: string,
): Promise<WorkspaceDeletionRow> {
  // The membership may be gone, and with it every access by workspace.
  const row = await findRequestedDeletion(workerQuery(database.extraPools.users), userId, workspaceId)
  if (row === undefined) throw problem('not_found')
  return row
}
