import type { auth, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { seesAllKeys } from '../roles/key-authority.ts'
import { cursorOfApiKey, listApiKeys as listApiKeyRows } from '../store/credentials/api-keys.ts'
import { apiKeyView } from '../views.ts'

/** Lists the caller's API keys, or with `auth:admin` all of the workspace, without their secrets, newest first. */
export const listApiKeys: Operation<typeof auth.listApiKeys, Context> = async ({ database }, caller, { query }) => {
  const { limit, cursor } = query
  const createdBy = seesAllKeys(caller) ? undefined : caller.principal.id
  const rows = await database.read(caller, (_db, sql) =>
    listApiKeyRows(sql, caller.workspaceId, { limit, cursor, createdBy }),
  )
  const { items, nextCursor } = paginate(rows, limit, cursorOfApiKey)
  return { items: items.map(apiKeyView), nextCursor }
}
