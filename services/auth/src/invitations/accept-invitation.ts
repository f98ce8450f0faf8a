import type { Tx } from '../store/client.ts'
import { type PendingInvitation, redeemInvitation } from '../store/workspaces/invitations.ts'
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
 * Replaces an invitation by a membership and leaves the transaction in the invitation's workspace.
 * @param tokenHash hash of the presented token, if one was presented; the invitation must still have it
 * @returns undefined if the invitation is no longer valid
 */
export async function createMembershipFromInvitation(
  tx: Tx,
  { invitationId: invitation_id, workspaceId }: PendingInvitation,
  tokenHash?: string,
): Promise<AcceptedInvitation | undefined> {
  if (!(await switchToWorkspace(tx, workspaceId))) return undefined
  if (!(await lockMemberships(tx, workspaceId))) return undefined
  const taken = await redeemInvitation(tx, invitation_id, tokenHash)
  if (taken === undefined) return undefined
  await insertMembership(tx, workspaceId, taken.userId, taken)
  return { workspaceId, userId: taken.userId, role: taken.role }
}
