import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { assertCanManageKey } from '../roles/key-authority.ts'
import { requireApiKey } from '../store/credentials/api-keys.ts'
import { apiKeyView } from '../views.ts'

/** Returns an API key without its secret: the caller's own, or any with `auth:admin`. */
export const getApiKey: Operation<typeof auth.getApiKey, Context> = async ({ database }, caller, { params }) => {
  const key = await database.read(caller, (_db, query) => requireApiKey(query, caller.workspaceId, params.key_id))
  assertCanManageKey(caller, key)
  return apiKeyView(key)
}
