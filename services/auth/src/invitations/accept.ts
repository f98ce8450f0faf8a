import { listPendingOf, type PendingInvitation, takeInvitation } from '../store/invitations.ts'
import { insertMember, lockPeople } from '../store/members.ts'
import type { Tx } from '../store/transaction.ts'
import { enterById } from '../store/workspaces.ts'

/** A membership that came of an invitation. */
export interface Accepted {
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
export async function acceptPending(tx: Tx, userId: string): Promise<Accepted[]> {
  const before = tx.place
  const accepted: Accepted[] = []
  for (const invitation of await listPendingOf(tx, userId)) {
    const one = await accept(tx, invitation)
    if (one === undefined) continue
    accepted.push(one)
    tx.auditAlso(
      { action: 'invitation.accepted', targets: [{ type: 'user', id: userId }], changes: { role: one.role } },
      { id: userId, type: 'user' },
    )
  }
  await tx.enterWorkspace(before)
  return accepted
}

/**
 * Turns an invitation into a membership and goes on in its workspace; undefined when it is no longer good.
 * @param tokenHash of the token that was shown, where one was
 */
export async function accept(
  tx: Tx,
  { invitation_id, workspace_id: workspaceId }: PendingInvitation,
  tokenHash?: string,
): Promise<Accepted | undefined> {
  if (!(await enterById(tx, workspaceId))) return undefined
  if (!(await lockPeople(tx, workspaceId))) return undefined
  const taken = await takeInvitation(tx, invitation_id, tokenHash)
  if (taken === undefined) return undefined
  await insertMember(tx, workspaceId, taken.user_id, taken)
  return { workspaceId, userId: taken.user_id, role: taken.role }
}
