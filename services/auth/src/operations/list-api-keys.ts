import type { auth, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { cursorOfApiKey, listApiKeys as list } from '../store/credentials/api-keys.ts'
import { apiKeyView } from '../views.ts'

/** The keys of the workspace, newest first, without their secrets. */
export const listApiKeys: Operation<typeof auth.listApiKeys, Context> = async ({ database }, caller, { query }) => {
  const { limit, cursor } = query
  const rows = await database.read(caller, (_db, sql) => list(sql, caller.workspaceId, { limit, cursor }))
  const { items, nextCursor } = paginate(rows, limit, cursorOfApiKey)
  return { items: items.map(apiKeyView), nextCursor }
}
