import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { assertCanManageRole } from '../roles/caller-authority.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { deleteInvitation } from '../store/workspaces/invitations.ts'
import { deleteApiKeysCreatedBy, deleteMembership } from '../store/workspaces/memberships.ts'
import { requireWorkspaceUser } from '../store/workspaces/workspace-users.ts'

/**
 * Removes a member or withdraws an invitation, which is not reported as a removed user. API keys the user created stay
 * valid with the flag `creator_removed`, unless `revoke_keys` is set.
 */
export const removeUser: Operation<typeof authUsers.removeUser, Context> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const user = await requireWorkspaceUser(tx.query, workspaceId, userId)
    assertCanManageRole(authority, user)
    if (user.status === 'active') await deleteMembership(tx, workspaceId, userId)
    else await deleteInvitation(tx, workspaceId, userId)
    const keys = input.query.revoke_keys ? await deleteApiKeysCreatedBy(tx, workspaceId, userId) : []
    for (const { key_id: id, name } of keys) {
      tx.emit({ kind: 'API_KEY_REVOKED', data: { id, status: 'revoked', name } })
      publishInvalidation(context, tx, { credential_id: id })
    }
    if (user.status === 'active') tx.emit({ kind: 'USER_REMOVED', data: { id: userId, status: 'removed' } })
    const revokedKeyTargets = keys.map(({ key_id: id }) => ({ type: 'api_key', id }))
    tx.audit({
      ...(user.status === 'active' ? {} : { action: 'invitation.withdrawn' }),
      targets: [{ type: 'user', id: userId }, ...revokedKeyTargets],
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
