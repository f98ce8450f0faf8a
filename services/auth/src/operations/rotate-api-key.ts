import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { requireGrantableScopes } from '../roles/caller-authority.ts'
import { loadKeyAuthority } from '../roles/key-authority.ts'
import { generateApiKey } from '../secrets/secret.ts'
import { lockApiKey, replaceApiKeySecret, requireApiKey } from '../store/credentials/api-keys.ts'
import { requireWorkspacePlacement } from '../store/workspaces/workspaces.ts'
import { apiKeySecretView } from '../views.ts'

/**
 * Replaces the secret of an API key: the caller's own, or any with `auth:admin`. The caller gets the new secret, so the
 * caller must have all scopes of the key.
 */
export const rotateApiKey: Operation<'rotateApiKey'> = async (context, caller, { params, body }) =>
  await context.database.transact(caller, async (tx) => {
    const key = await lockApiKey(tx, caller.workspaceId, params.key_id)
    const { scopes: callerScopes } = await loadKeyAuthority(tx, caller, key)
    requireGrantableScopes(callerScopes, key.scopes)
    if (key.expiresAt !== null && key.expiresAt.getTime() <= context.now())
      throw problem('conflict', { detail: 'The key has expired; create another one' })
    const secret = generateApiKey(await requireWorkspacePlacement(tx, caller.workspaceId))
    const previousExpiresAt = await replaceApiKeySecret(tx, key, secret, body.overlap_seconds)
    // Cached identities of the old secret have a later expiry.
    publishInvalidation(context, tx, { credential_id: key.keyId })
    return {
      ...apiKeySecretView(await requireApiKey(tx.query, caller.workspaceId, key.keyId), secret.text),
      previous_expires_at: earlierOf(previousExpiresAt, key.expiresAt)?.toISOString() ?? null,
    }
  })

/** No secret outlives its key. @param keyExpiresAt null for a key without an expiry */
const earlierOf = (previousExpiresAt: Date | null, keyExpiresAt: Date | null): Date | null =>
  previousExpiresAt !== null && keyExpiresAt !== null && keyExpiresAt < previousExpiresAt
    ? keyExpiresAt
    : previousExpiresAt
