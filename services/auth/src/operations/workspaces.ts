import { Problem, problem } from '@wp/contracts'
import { mapPage, mergeMetadata } from '@wp/database'
import type { Operation } from '../context.ts'
import {
  findWorkspaceOfUser,
  listWorkspacesOfUser,
  lockWorkspaceMetadata,
  requireWorkspace,
  updateWorkspaceRow,
} from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Lists the workspaces of the caller: all memberships of a user, the one workspace of any other principal. */
export const listWorkspaces: Operation<'listWorkspaces'> = async ({ database }, caller, { query: asked }) => {
  const { principal, workspaceId } = caller
  if (principal.type === 'user')
    return mapPage(await listWorkspacesOfUser(database.extraPools.users, principal.id, asked), workspaceView)
  if (workspaceId === null || asked.cursor !== undefined) return { items: [], nextCursor: null }
  const own = await database
    .read({ workspaceId }, (_db, query) => requireWorkspace(query, workspaceId, principal.id))
    .catch(undefinedIfNotFound)
  const isListed = own !== undefined && hasPairs(own.metadata, asked.metadata)
  return { items: isListed ? [workspaceView(own)] : [], nextCursor: null }
}

const hasPairs = (all: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => all[name] === value)

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}

export const getWorkspace: Operation<'getWorkspace'> = async ({ database }, caller) =>
  workspaceView(
    await database.read(caller, (_db, query) => requireWorkspace(query, caller.workspaceId, caller.principal.id)),
  )

/** Returns a workspace of the caller: any that a user is a member of, the one workspace of any other principal. */
export const getWorkspaceById: Operation<'getWorkspaceById'> = async (
  { database },
  { principal, workspaceId: ownWorkspaceId },
  { params: { workspace_id: workspaceId } },
) => {
  if (principal.type === 'user') {
    const row = await findWorkspaceOfUser(database.extraPools.users, principal.id, workspaceId)
    if (row === undefined) throw problem('not_found')
    return workspaceView(row)
  }
  if (workspaceId !== ownWorkspaceId) throw problem('not_found')
  return workspaceView(
    await database.read({ workspaceId }, (_db, query) => requireWorkspace(query, workspaceId, principal.id)),
  )
}

/**
 * Renames the workspace, merges its metadata or changes its settings. Needs no invalidation: identities contain none of
 * these.
 */
export const updateWorkspace: Operation<'updateWorkspace'> = async ({ database }, caller, { body }) =>
  await database.transact(caller, async (tx) => {
    const { name, metadata, settings } = body
    const current = await lockWorkspaceMetadata(tx, caller.workspaceId)
    const merged = mergeMetadata(current, metadata)
    await updateWorkspaceRow(tx, caller.workspaceId, { name, metadata: merged, ...settings })
    return workspaceView(await requireWorkspace(tx.query, caller.workspaceId, caller.principal.id))
  })
