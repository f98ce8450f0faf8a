import type { PrincipalType, Scope } from '@wp/contracts'
import { newId, type Row } from '@wp/database'
import type { ApiKey } from '#db'
import type { Tx } from '../client.ts'
import type { WorkspacePlacement } from '../workspaces/workspaces.ts'

interface NewPortalKey {
  placement: WorkspacePlacement
  portalLinkId: string
  customerId: string
  scopes: readonly Scope[]
  expiresAt: Date
  createdBy: { id: string; type: PrincipalType }
  secret: { hash: string; last4: string }
}

/** Inserts the credential of a portal link with the hash of its secret. */
export async function insertPortalKey({ db }: Tx, key: NewPortalKey): Promise<void> {
  const { placement, portalLinkId, customerId, scopes, expiresAt, createdBy, secret } = key
  await db.apiKey.create({
    data: {
      ...placement,
      keyId: newId('akey'),
      portalLinkId,
      customerId,
      scopes: [...scopes],
      expiresAt,
      last4: secret.last4,
      createdBy: createdBy.id,
      createdByType: createdBy.type,
      secrets: { create: { hash: secret.hash, workspaceId: placement.workspaceId } },
    },
  })
}

/** Deletes credentials of portal links: that of one link, or those of one creator. Returns the ids of the keys. */
export async function deletePortalKeys(
  { query }: Pick<Tx, 'query'>,
  workspaceId: string,
  { portalLinkId, createdBy }: { portalLinkId?: string; createdBy?: string },
): Promise<string[]> {
  const deleted = await query<Row<ApiKey, 'keyId'>>(
    `UPDATE api_keys SET deleted_at = clock_timestamp()
     WHERE workspace_id = $1 AND portal_link_id IS NOT NULL AND deleted_at IS NULL
       AND (portal_link_id = $2 OR created_by = $3) RETURNING key_id`,
    [workspaceId, portalLinkId ?? null, createdBy ?? null],
  )
  return deleted.map(({ keyId }) => keyId)
}
