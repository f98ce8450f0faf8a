import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import type { Tx } from '../store/client.ts'
import { deletePortalKeys } from '../store/credentials/portal-keys.ts'

/**
 * Revokes credentials of portal links: that of one link, or those of a creator who is removed. Unlike API keys, which
 * become the workspace's, portal links end with the one who made them.
 */
export async function revokePortalKeys(
  context: Pick<Context, 'bus'>,
  tx: Tx,
  workspaceId: string,
  which: { portalLinkId: string } | { createdBy: string },
): Promise<void> {
  for (const keyId of await deletePortalKeys(tx, workspaceId, which))
    publishInvalidation(context, tx, { credential_id: keyId })
}
