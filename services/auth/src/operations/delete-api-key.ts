import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { loadKeyAuthority } from '../roles/key-authority.ts'
import { deleteApiKey as deleteApiKeyRow, lockApiKey } from '../store/credentials/api-keys.ts'

/**
 * Deletes an API key: the caller's own, or any with `auth:admin`. Needs none of the key's scopes, because deleting it
 * grants nothing to the caller.
 */
export const deleteApiKey: Operation<typeof auth.deleteApiKey, Context> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const key = await lockApiKey(tx, caller.workspaceId, params.key_id)
    await loadKeyAuthority(tx, caller, key)
    const { keyId, name } = key
    await deleteApiKeyRow(tx, keyId)
    tx.emit({ kind: 'API_KEY_REVOKED', data: { id: keyId, status: 'revoked', name } })
    publishInvalidation(context, tx, { credential_id: keyId })
    return { id: keyId }
  })
