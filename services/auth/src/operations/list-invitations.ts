import type { authUsers, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { cursorOfInvitation, listInvitationsOfUser } from '../store/workspaces/invitations.ts'
import { invitationView } from '../views.ts'

/**
 * Lists the pending invitations of the signed-in user. They are addressed to the user's own address, which is verified:
 * signing in proves it.
 */
export const listInvitations: Operation<typeof authUsers.listInvitations, Context> = async (
  { database },
  { principal },
  { query: { limit, cursor } },
) => {
  const rows = await listInvitationsOfUser(database.extraPools.users, principal.id, { limit, cursor })
  const { items, nextCursor } = paginate(rows, limit, cursorOfInvitation)
  return { items: items.map(invitationView), nextCursor }
}
