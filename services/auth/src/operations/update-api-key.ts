import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { loadKeyAuthority } from '../roles/key-authority.ts'
import { lockApiKey, renameApiKey, requireApiKey } from '../store/credentials/api-keys.ts'
import { apiKeyView } from '../views.ts'

/** Renames an API key, the caller's own or any with `auth:admin`; null removes the name. */
export const updateApiKey: Operation<typeof auth.updateApiKey, Context> = async ({ database }, caller, input) => {
  const { key_id: keyId } = input.params
  const { name } = input.body
  return await database.transact(caller, async (tx) => {
    await loadKeyAuthority(tx, caller, await lockApiKey(tx, caller.workspaceId, keyId))
    if (name !== undefined) await renameApiKey(tx, keyId, name)
    return apiKeyView(await requireApiKey(tx.query, caller.workspaceId, keyId))
  })
}
