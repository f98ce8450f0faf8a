import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log/publish-invalidation.ts'
import { assertCanManageRole } from '../roles/caller-authority.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { type DeletedCredentials, deleteCredentialsCreatedBy } from '../store/credentials/created-credentials.ts'
import { deleteInvitation } from '../store/workspaces/invitations.ts'
import { deleteMembership } from '../store/workspaces/memberships.ts'
import { requireWorkspaceUser } from '../store/workspaces/workspace-users.ts'

/**
 * Removes a member or withdraws an invitation, which is not reported as a removed user. API keys and service principals
 * the user created stay valid, unless `revoke_keys` is set: then also those that these principals created end.
 */
export const removeUser: Operation<typeof authUsers.removeUser, Context> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const user = await requireWorkspaceUser(tx.query, workspaceId, userId)
    assertCanManageRole(authority, user)
    if (user.status === 'active') await deleteMembership(tx, workspaceId, userId)
    else await deleteInvitation(tx, workspaceId, userId)
    const { keys, servicePrincipals }: DeletedCredentials = input.query.revoke_keys
      ? await deleteCredentialsCreatedBy(tx, workspaceId, userId)
      : { keys: [], servicePrincipals: [] }
    for (const { clientId: id } of servicePrincipals) publishInvalidation(context, tx, { principal_id: id })
    for (const { keyId: id, name } of keys) {
      tx.emit({ kind: 'API_KEY_REVOKED', data: { id, status: 'revoked', name } })
      publishInvalidation(context, tx, { credential_id: id })
    }
    if (user.status === 'active') tx.emit({ kind: 'USER_REMOVED', data: { id: userId, status: 'removed' } })
    const revoked = [
      ...keys.map(({ keyId: id }) => ({ type: 'api_key', id })),
      ...servicePrincipals.map(({ clientId: id }) => ({ type: 'service_principal', id })),
    ]
    tx.audit({
      ...(user.status === 'active' ? {} : { action: 'invitation.withdrawn' }),
      targets: [{ type: 'user', id: userId }, ...revoked],
      changes: { role_before: user.role },
    })
    publishInvalidation(context, tx, { principal_id: userId })
    return { id: userId }
  })
}

/** Removes the user named in the query. */
export const removeUserNamed: Operation<typeof authUsers.removeUserNamed, Context> = async (
  context,
  caller,
  { query: { user_id, ...query } },
) => await removeUser(context, caller, { params: { user_id }, query, headers: {}, body: undefined })
