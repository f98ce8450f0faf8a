import type { Row } from '@wp/database'
import type { ApiKey, ServicePrincipal } from '#db'
import type { Tx } from '../client.ts'
import { isApiKey, isDirectoryToken } from './api-keys.ts'

/** Credentials that were deleted. */
export interface DeletedCredentials {
  keys: Row<ApiKey, 'keyId' | 'name'>[]
  servicePrincipals: Row<ServicePrincipal, 'clientId'>[]
}

/**
 * Deletes the API keys and service principals that a user created in a workspace, those that these principals created,
 * and so on. A principal that was deleted before is followed too: what it created may still be valid. Requires that the
 * membership of the user is deleted, and the lock that creators hold (`findMemberRole`).
 * @param keepsDirectoryTokens true if tokens of directories stay: a directory that removes the person who connected it
 *   continues to work
 */
export async function deleteCredentialsCreatedBy(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { keepsDirectoryTokens = false }: { keepsDirectoryTokens?: boolean } = {},
): Promise<DeletedCredentials> {
  const deleted: DeletedCredentials = { keys: [], servicePrincipals: [] }
  for (;;) {
    const { keys, servicePrincipals } = await deleteFound(query, workspaceId, userId, keepsDirectoryTokens)
    // The deletion of a principal waits for what it is about to create, which the next search finds.
    if (keys.length + servicePrincipals.length === 0) return deleted
    deleted.keys.push(...keys)
    deleted.servicePrincipals.push(...servicePrincipals)
  }
}

async function deleteFound(
  query: Tx['query'],
  workspaceId: string,
  userId: string,
  keepsDirectoryTokens: boolean,
): Promise<DeletedCredentials> {
  const creators = await query<{ id: string }>(
    `WITH RECURSIVE creators (id) AS (
       SELECT $2::text
       UNION
       SELECT p.client_id FROM service_principals p JOIN creators c ON p.created_by = c.id WHERE p.workspace_id = $1)
     SELECT id FROM creators`,
    [workspaceId, userId],
  )
  const ids = creators.map(({ id }) => id)
  const servicePrincipals = await query<DeletedCredentials['servicePrincipals'][number]>(
    `UPDATE service_principals SET deleted_at = clock_timestamp()
     WHERE workspace_id = $1 AND created_by = ANY ($2) AND deleted_at IS NULL RETURNING client_id`,
    [workspaceId, ids],
  )
  const keys = await query<DeletedCredentials['keys'][number]>(
    `UPDATE api_keys SET deleted_at = clock_timestamp()
     WHERE workspace_id = $1 AND created_by = ANY ($2) AND deleted_at IS NULL AND ${isApiKey}
       AND NOT ($3 AND ${isDirectoryToken}) RETURNING key_id, name`,
    [workspaceId, ids, keepsDirectoryTokens],
  )
  await query('DELETE FROM client_secrets WHERE workspace_id = $1 AND client_id = ANY ($2)', [
    ...[workspaceId, servicePrincipals.map(({ clientId }) => clientId)],
  ])
  return { keys, servicePrincipals }
}
