import { type auth, invalidField, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { authorityOf } from '../roles/authority.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { newApiKey } from '../secrets/secret.ts'
import { insertApiKey } from '../store/api-keys.ts'
import { findHome } from '../store/workspaces.ts'
import { apiKeySecretView } from '../views.ts'

/** Creates a key of the workspace. Without `scopes` it may do what its creator may now, never more. */
export const createApiKey: Operation<typeof auth.createApiKey, Context> = async (context, caller, { body }) => {
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at)
  if (expiresAt !== null && expiresAt.getTime() <= context.now())
    throw invalidField('/expires_at', 'must be in the future')
  return await context.database.transact(caller, async (tx) => {
    const { scopes: own } = await authorityOf(tx, caller, 'auth:keys')
    const scopes = grantWithin(own, body.scopes ?? own)
    const home = await findHome(tx, caller.workspaceId)
    const secret = newApiKey(home)
    const name = body.name ?? null
    const key = await insertApiKey(tx, { home, name, scopes, expiresAt, createdBy: caller.principal, secret })
    tx.emit({ kind: 'API_KEY_CREATED', data: { id: key.key_id, status: 'active', name } })
    return apiKeySecretView(key, secret.text)
  })
}
