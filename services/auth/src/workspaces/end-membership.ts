import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { revokePortalKeys } from '../roles/portal-keys.ts'
import type { Tx } from '../store/client.ts'
import { type DeletedCredentials, deleteCredentialsCreatedBy } from '../store/credentials/created-credentials.ts'
import { deleteInvitation } from '../store/workspaces/invitations.ts'
import { deleteMembership } from '../store/workspaces/memberships.ts'
import type { WorkspaceUserRow } from '../store/workspaces/workspace-users.ts'

interface EndOptions {
  /** True to delete the API keys and service principals that the user created. */
  revokesKeys: boolean
  keepsDirectoryTokens?: boolean
}

/**
 * Ends a membership or withdraws an invitation, and publishes what the edges must forget. Requires the lock of
 * `lockMemberships`.
 * @returns the credentials that were deleted, as audit targets
 * @throws Problem `last_owner`
 */
export async function endMembership(
  context: Context,
  tx: Tx,
  workspaceId: string,
  user: WorkspaceUserRow,
  { revokesKeys, keepsDirectoryTokens = false }: EndOptions,
): Promise<{ type: string; id: string }[]> {
  const { userId, status } = user
  if (status === 'active') await deleteMembership(tx, workspaceId, userId)
  else await deleteInvitation(tx, workspaceId, userId)
  await revokePortalKeys(context, tx, workspaceId, { createdBy: userId })
  const { keys, servicePrincipals }: DeletedCredentials = revokesKeys
    ? await deleteCredentialsCreatedBy(tx, workspaceId, userId, { keepsDirectoryTokens })
    : { keys: [], servicePrincipals: [] }
  for (const { clientId: id } of servicePrincipals) {
    await revokePortalKeys(context, tx, workspaceId, { createdBy: id })
    publishInvalidation(context, tx, { principal_id: id })
  }
  for (const { keyId: id, name } of keys) {
    tx.emit({ kind: 'API_KEY_REVOKED', data: { id, status: 'revoked', name } })
    publishInvalidation(context, tx, { credential_id: id })
  }
  if (status === 'active') tx.emit({ kind: 'USER_REMOVED', data: { id: userId, status: 'removed' } })
  publishInvalidation(context, tx, { principal_id: userId })
  return [
    ...keys.map(({ keyId: id }) => ({ type: 'api_key', id })),
    ...servicePrincipals.map(({ clientId: id }) => ({ type: 'service_principal', id })),
  ]
}
