import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { assertCanManageKey, loadKeyAuthority, seesAllKeys } from '../roles/key-authority.ts'
import { revokePortalKeys } from '../roles/portal-keys.ts'
import {
  deleteApiKeyRow,
  listApiKeyRows,
  lockApiKey,
  renameApiKey,
  requireApiKey,
} from '../store/credentials/api-keys.ts'
import { apiKeyView } from '../views.ts'

/** Lists the caller's API keys, or with `auth:admin` all of the workspace, without their secrets, newest first. */
export const listApiKeys: Operation<'listApiKeys'> = async ({ database }, caller, { query }) => {
  const filters = { ...query, createdBy: seesAllKeys(caller) ? undefined : caller.principal.id }
  const page = await database.read(caller, (_db, sql) => listApiKeyRows(sql, caller.workspaceId, filters))
  return mapPage(page, apiKeyView)
}

/** Returns an API key without its secret: the caller's own, or any with `auth:admin`. */
export const getApiKey: Operation<'getApiKey'> = async ({ database }, caller, { params }) => {
  const key = await database.read(caller, (_db, query) => requireApiKey(query, caller.workspaceId, params.key_id))
  assertCanManageKey(caller, key)
  return apiKeyView(key)
}

/** Renames an API key, the caller's own or any with `auth:admin`; null removes the name. */
export const updateApiKey: Operation<'updateApiKey'> = async ({ database }, caller, input) => {
  const { key_id: keyId } = input.params
  const { name } = input.body
  return await database.transact(caller, async (tx) => {
    await loadKeyAuthority(tx, caller, await lockApiKey(tx, caller.workspaceId, keyId))
    if (name !== undefined) await renameApiKey(tx, keyId, name)
    return apiKeyView(await requireApiKey(tx.query, caller.workspaceId, keyId))
  })
}

/**
 * Deletes an API key: the caller's own, or any with `auth:admin`. Needs none of the key's scopes, because deleting it
 * grants nothing to the caller.
 */
export const deleteApiKey: Operation<'deleteApiKey'> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const key = await lockApiKey(tx, caller.workspaceId, params.key_id)
    await loadKeyAuthority(tx, caller, key)
    const { keyId, name } = key
    await deleteApiKeyRow(tx, keyId)
    await revokePortalKeys(context, tx, caller.workspaceId, { createdBy: keyId })
    tx.emit({ kind: 'API_KEY_REVOKED', data: { id: keyId, status: 'revoked', name } })
    publishInvalidation(context, tx, { credential_id: keyId })
    return { id: keyId }
  })
