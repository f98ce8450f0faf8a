import { problem } from '@wp/contracts'
import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { createMembershipFromInvitation } from '../invitations/accept-by-token.ts'
import { requireUser } from '../store/users.ts'
import { findInvitationOfUser, listInvitationsOfUser, redeemInvitation } from '../store/workspaces/invitations.ts'
import { switchToWorkspace } from '../store/workspaces/workspaces.ts'
import { invitationView } from '../views.ts'

/**
 * Lists the pending invitations of the signed-in user. They are addressed to the user's own address, which is verified:
 * signing in proves it.
 */
export const listInvitations: Operation<'listInvitations'> = async ({ database }, { principal }, { query }) =>
  mapPage(await listInvitationsOfUser(database.extraPools.users, principal.id, query), invitationView)

export const acceptInvitationById: Operation<'acceptInvitationById'> = async (context, caller, { params }) => {
  const { id } = caller.principal
  return await context.database.transact({ ...caller, workspaceId: null }, async (tx) => {
    await requireUser(tx.db, id)
    const invitation = await findInvitationOfUser(tx, id, params.id)
    const accepted = invitation && (await createMembershipFromInvitation(tx, invitation))
    if (accepted === undefined) throw problem('not_found')
    tx.audit({ targets: [{ type: 'user', id }], changes: { role: accepted.role } })
    publishInvalidation(context, tx, { principal_id: id })
    return { workspace_id: accepted.workspaceId, role: accepted.role }
  })
}

/** Declines an invitation of the signed-in user: deletes it, so that its link stops working too. */
export const declineInvitation: Operation<'declineInvitation'> = async ({ database }, caller, { params: { id } }) =>
  await database.transact({ ...caller, workspaceId: null }, async (tx) => {
    const invitation = await findInvitationOfUser(tx, caller.principal.id, id)
    if (invitation === undefined || !(await switchToWorkspace(tx, invitation.workspaceId))) throw problem('not_found')
    if ((await redeemInvitation(tx, id)) === undefined) throw problem('not_found')
    return { id, declined: true }
  })
