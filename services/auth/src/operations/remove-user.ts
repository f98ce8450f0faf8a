import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { administer } from '../roles/administer.ts'
import { checkReach } from '../roles/authority.ts'
import { deleteInvitation } from '../store/invitations.ts'
import { deleteKeysOf, deleteMember } from '../store/members.ts'
import { findPerson } from '../store/people.ts'

/**
 * Removes a member, or takes an invitation back. The API keys they created live on as the workspace's, flagged, unless
 * it is asked that they end too.
 */
export const removeUser: Operation<typeof authUsers.removeUser, Context> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await administer(context, caller, async (tx, authority) => {
    const person = await findPerson(tx.query, workspaceId, userId)
    checkReach(authority, person)
    if (person.status === 'active') await deleteMember(tx, workspaceId, userId)
    else await deleteInvitation(tx, workspaceId, userId)
    const keys = input.query.revoke_keys ? await deleteKeysOf(tx, workspaceId, userId) : []
    for (const { key_id: id, name } of keys) {
      tx.emit({ kind: 'API_KEY_REVOKED', data: { id, status: 'revoked', name } })
      invalidate(context, tx, { credential_id: id })
    }
    tx.emit({ kind: 'USER_REMOVED', data: { id: userId, status: 'removed' } })
    const ended = keys.map(({ key_id: id }) => ({ type: 'api_key', id }))
    tx.audit({ targets: [{ type: 'user', id: userId }, ...ended], changes: { role_before: person.role } })
    invalidate(context, tx, { principal_id: userId })
    return { id: userId }
  })
}

/** The same, for those who name the user in the query. */
export const removeUserNamed: Operation<typeof authUsers.removeUserNamed, Context> = async (
  context,
  caller,
  { query: { user_id, ...query } },
) => await removeUser(context, caller, { params: { user_id }, query, headers: {}, body: undefined })
