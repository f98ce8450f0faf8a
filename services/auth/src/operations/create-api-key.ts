import { invalidField } from '@wp/contracts'
import { enforceQuota } from '@wp/database'
import type { Operation } from '../context.ts'
import { loadCallerAuthority, requireGrantableScopes } from '../roles/caller-authority.ts'
import { generateApiKey } from '../secrets/secret.ts'
import { insertApiKey } from '../store/credentials/api-keys.ts'
import { apiKeyQuota } from '../store/quotas.ts'
import { requireWorkspacePlacement } from '../store/workspaces/workspaces.ts'
import { apiKeySecretView } from '../views.ts'

/** Creates an API key of the workspace. Its scopes default to those of the creator, which they cannot exceed. */
export const createApiKey: Operation<'createApiKey'> = async (context, caller, { body }) => {
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at)
  if (expiresAt !== null && expiresAt.getTime() <= context.now())
    throw invalidField('/expires_at', 'must be in the future')
  return await context.database.transact(caller, async (tx) => {
    const { scopes: callerScopes } = await loadCallerAuthority(tx, caller, 'auth:keys')
    const scopes = requireGrantableScopes(callerScopes, body.scopes ?? callerScopes)
    const placement = await requireWorkspacePlacement(tx, caller.workspaceId)
    const secret = generateApiKey(placement)
    const name = body.name ?? null
    const key = await insertApiKey(tx, {
      placement,
      name,
      scopes,
      expiresAt,
      createdBy: caller.principal,
      secret,
    })
    await enforceQuota(tx.query, caller.workspaceId, apiKeyQuota)
    tx.emit({ kind: 'API_KEY_CREATED', data: { id: key.keyId, status: 'active', name } })
    return apiKeySecretView(key, secret.text)
  })
}
