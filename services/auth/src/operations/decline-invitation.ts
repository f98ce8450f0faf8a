import { type authUsers, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findInvitationOfUser, redeemInvitation } from '../store/workspaces/invitations.ts'
import { switchToWorkspace } from '../store/workspaces/workspaces.ts'

/** Declines an invitation of the signed-in user: deletes it, so that its link stops working too. */
export const declineInvitation: Operation<typeof authUsers.declineInvitation, Context> = async (
  { database },
  caller,
  { params: { id } },
) =>
  await database.transact({ ...caller, workspaceId: null }, async (tx) => {
    const invitation = await findInvitationOfUser(tx, caller.principal.id, id)
    if (invitation === undefined || !(await switchToWorkspace(tx, invitation.workspaceId))) throw problem('not_found')
    if ((await redeemInvitation(tx, id)) === undefined) throw problem('not_found')
    return { id, declined: true }
  })
