import type { Operation } from '../context.ts'
import { assertCanManageRole } from '../roles/caller-authority.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { requireWorkspaceUser } from '../store/workspaces/workspace-users.ts'
import { endMembership } from '../workspaces/end-membership.ts'

/**
 * Removes a member or withdraws an invitation, which is not reported as a removed user. API keys and service principals
 * the user created stay valid, unless `revoke_keys` is set: then also those that these principals created end.
 */
export const removeUser: Operation<'removeUser'> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const user = await requireWorkspaceUser(tx.query, workspaceId, userId)
    assertCanManageRole(authority, user)
    const revoked = await endMembership(context, tx, workspaceId, user, { revokesKeys: input.query.revoke_keys })
    tx.audit({
      ...(user.status === 'active' ? {} : { action: 'invitation.withdrawn' }),
      targets: [{ type: 'user', id: userId }, ...revoked],
      changes: { role_before: user.role },
    })
    return { id: userId }
  })
}

export const removeUserNamed: Operation<'removeUserNamed'> = async (
  context,
  caller,
  { query: { user_id, ...query } },
) => await removeUser(context, caller, { params: { user_id }, query, headers: {}, body: undefined })
