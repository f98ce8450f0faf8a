import { type Operation, Problem, type systemWorkspaces } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { cursorOfWorkspace, listWorkspacesOfUser, requireWorkspace } from '../store/workspaces/workspaces.ts'
import { workspaceView } from '../views.ts'

/** Lists the workspaces of the caller: all memberships of a user, the one workspace of any other principal. */
export const listWorkspaces: Operation<typeof systemWorkspaces.listWorkspaces, Context> = async (
  { database },
  caller,
  { query: { limit, cursor, metadata } },
) => {
  const { principal, workspaceId } = caller
  if (principal.type === 'user') {
    const rows = await listWorkspacesOfUser(database.extraPools.users, principal.id, { limit, cursor, metadata })
    const { items, nextCursor } = paginate(rows, limit, cursorOfWorkspace)
    return { items: items.map(workspaceView), nextCursor }
  }
  if (workspaceId === null || cursor !== undefined) return { items: [], nextCursor: null }
  const own = await database
    .read({ workspaceId }, (_db, query) => requireWorkspace(query, workspaceId, principal.id))
    .catch(undefinedIfNotFound)
  const isListed = own !== undefined && hasPairs(own.metadata, metadata)
  return { items: isListed ? [workspaceView(own)] : [], nextCursor: null }
}

const hasPairs = (all: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => all[name] === value)

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}
