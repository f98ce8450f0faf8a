import { invalidField, problem, scimPath } from '@wp/contracts'
import { enforceQuota, mapPage } from '@wp/database'
import type { Operation } from '../../context.ts'
import { publishInvalidation } from '../../identity-log.ts'
import { loadCallerAuthority, requireGrantableScopes } from '../../roles/caller-authority.ts'
import { generateApiKey } from '../../secrets/secret.ts'
import { deleteApiKeyRow, insertApiKey, listApiKeyRows, lockApiKey } from '../../store/credentials/api-keys.ts'
import { apiKeyQuota } from '../../store/quotas.ts'
import { requireWorkspacePlacement } from '../../store/workspaces/workspaces.ts'
import { scimTokenView } from '../../views.ts'

const tokenScope = 'auth:provision'

/** Creates a token for a directory: an API key that can do nothing but provision members. */
export const createScimToken: Operation<'createScimToken'> = async (context, caller, { body }) => {
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at)
  if (expiresAt !== null && expiresAt.getTime() <= context.now())
    throw invalidField('/expires_at', 'must be in the future')
  return await context.database.transact(caller, async (tx) => {
    const authority = await loadCallerAuthority(tx, caller, 'auth:admin')
    const scopes = requireGrantableScopes(authority.scopes, [tokenScope])
    const placement = await requireWorkspacePlacement(tx, caller.workspaceId)
    const secret = generateApiKey(placement)
    const name = body.name ?? null
    const key = await insertApiKey(tx, { placement, name, scopes, expiresAt, createdBy: caller.principal, secret })
    await enforceQuota(tx.query, caller.workspaceId, apiKeyQuota)
    tx.emit({ kind: 'API_KEY_CREATED', data: { id: key.keyId, status: 'active', name } })
    return {
      key_id: key.keyId,
      token: secret.text,
      base_url: context.publicBaseUrl + scimPath,
      name,
      last4: key.last4,
      created_at: key.createdAt.toISOString(),
      expires_at: key.expiresAt?.toISOString() ?? null,
    }
  })
}

export const listScimTokens: Operation<'listScimTokens'> = async ({ database }, caller, { query }) => {
  const filters = { ...query, createdBy: undefined, isDirectoryToken: true }
  const page = await database.read(caller, (_db, sql) => listApiKeyRows(sql, caller.workspaceId, filters))
  return mapPage(page, scimTokenView)
}

/** Deletes the token of a directory. Another API key is not found here. */
export const deleteScimToken: Operation<'deleteScimToken'> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const { keyId, name, scopes } = await lockApiKey(tx, caller.workspaceId, params.key_id)
    await loadCallerAuthority(tx, caller, 'auth:admin')
    if (scopes.length !== 1 || scopes[0] !== tokenScope) throw problem('not_found')
    await deleteApiKeyRow(tx, keyId)
    tx.emit({ kind: 'API_KEY_REVOKED', data: { id: keyId, status: 'revoked', name } })
    publishInvalidation(context, tx, { credential_id: keyId })
    return { id: keyId }
  })
