import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createMembershipFromInvitation } from '../invitations/accept-invitation.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { requireUser } from '../store/users.ts'
import { findInvitationOfUser } from '../store/workspaces/invitations.ts'

/** Accepts an invitation of the signed-in user. */
export const acceptInvitationById: Operation<typeof authUsers.acceptInvitationById, Context> = async (
  context,
  caller,
  { params },
) => {
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
