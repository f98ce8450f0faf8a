import type { Tx } from '../store/transaction.ts'
import { listPendingInvitations, type PendingInvitation, takeInvitation } from '../store/workspaces/invitations.ts'
import { insertMembership, lockMemberships } from '../store/workspaces/memberships.ts'
import { switchToWorkspace } from '../store/workspaces/workspaces.ts'

/** A membership that came of an invitation. */
export interface AcceptedInvitation {
  workspaceId: string
  userId: string
  /** Its name. */
  role: string
}

/**
 * Accepts every invitation that waits for a user who is a member nowhere: called at their first sign-in, which has just
 * proven that the mailbox is theirs. Goes through the workspaces and comes back to the one it began in. Each is audited
 * in its workspace; no identity has to be forgotten, for none of a user without a workspace names one.
 * @returns the memberships, empty where there were no invitations or the user is a member somewhere
 */
export async function acceptPendingInvitations(tx: Tx, userId: string): Promise<AcceptedInvitation[]> {
  const previousWorkspace = tx.workspace
  const accepted: AcceptedInvitation[] = []
  for (const invitation of await listPendingInvitations(tx, userId)) {
    const membership = await createMembershipFromInvitation(tx, invitation)
    if (membership === undefined) continue
    accepted.push(membership)
    tx.emitAudit(
      { action: 'invitation.accepted', targets: [{ type: 'user', id: userId }], changes: { role: membership.role } },
      { id: userId, type: 'user' },
    )
  }
  await tx.switchWorkspace(previousWorkspace)
  return accepted
}

/**
 * Turns an invitation into a membership and goes on in its workspace; undefined when it is no longer good.
 * @param tokenHash of the token that was shown, where one was
 */
export async function createMembershipFromInvitation(
  tx: Tx,
  { invitation_id, workspace_id: workspaceId }: PendingInvitation,
  tokenHash?: string,
): Promise<AcceptedInvitation | undefined> {
  if (!(await switchToWorkspace(tx, workspaceId))) return undefined
  if (!(await lockMemberships(tx, workspaceId))) return undefined
  const taken = await takeInvitation(tx, invitation_id, tokenHash)
  if (taken === undefined) return undefined
  await insertMembership(tx, workspaceId, taken.user_id, taken)
  return { workspaceId, userId: taken.user_id, role: taken.role }
}
