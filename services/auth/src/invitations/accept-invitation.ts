import type { Tx } from '../store/transaction.ts'
import { listPendingInvitations, type PendingInvitation, redeemInvitation } from '../store/workspaces/invitations.ts'
import { insertMembership, lockMemberships } from '../store/workspaces/memberships.ts'
import { switchToWorkspace } from '../store/workspaces/workspaces.ts'

/** A membership created from an invitation. */
export interface AcceptedInvitation {
  workspaceId: string
  userId: string
  /** Name of the role. */
  role: string
}

/**
 * Accepts all pending invitations of a user without memberships. Called at the first sign-in, which has just verified
 * the mailbox. Switches to each workspace, emits an audit event there, and returns to the initial workspace. No
 * invalidation is needed: the cached identity of a user without memberships names no workspace.
 * @returns the new memberships; empty if there are no invitations or the user is already a member of a workspace
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
 * Replaces an invitation by a membership and leaves the transaction in the invitation's workspace.
 * @param tokenHash hash of the presented token, if one was presented; the invitation must still have it
 * @returns undefined if the invitation is no longer valid
 */
export async function createMembershipFromInvitation(
  tx: Tx,
  { invitation_id, workspace_id: workspaceId }: PendingInvitation,
  tokenHash?: string,
): Promise<AcceptedInvitation | undefined> {
  if (!(await switchToWorkspace(tx, workspaceId))) return undefined
  if (!(await lockMemberships(tx, workspaceId))) return undefined
  const taken = await redeemInvitation(tx, invitation_id, tokenHash)
  if (taken === undefined) return undefined
  await insertMembership(tx, workspaceId, taken.user_id, taken)
  return { workspaceId, userId: taken.user_id, role: taken.role }
}
