import { problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { hashSecret } from '../secrets/secret.ts'
import { findOrSignUpUser } from '../sign-in/sign-up-policy.ts'
import type { Tx } from '../store/client.ts'
import { findInvitationByToken, type PendingInvitation, redeemInvitation } from '../store/workspaces/invitations.ts'
import { insertMembership, lockMemberships } from '../store/workspaces/memberships.ts'
import { switchToWorkspace } from '../store/workspaces/workspaces.ts'
import { checkWrongTokenLimit, countWrongToken } from './invitation-limits.ts'

/**
 * Returns the valid invitation of a token. Wrong tokens are counted per client network.
 * @throws Problem `invalid_invitation`; `rate_limited` after too many wrong tokens
 */
export async function requireInvitation(context: Context, caller: RequestCaller, token: string) {
  const ip = caller.request?.ip
  await checkWrongTokenLimit(context, ip)
  const invitation = await findInvitationByToken(context.database.extraPools.tokens, hashSecret(token))
  if (invitation !== undefined) return invitation
  await countWrongToken(context, ip)
  throw problem('invalid_invitation')
}

/**
 * Accepts an invitation by the token of its mail. The token proves ownership of the mailbox, so the address counts as
 * verified, and a user who has not signed in before signs up. Creates the membership and invalidates the token.
 * @throws Problem `invalid_invitation`, `rate_limited`
 */
export async function acceptInvitationByToken(
  context: Context,
  caller: RequestCaller,
  token: string,
): Promise<AcceptedInvitation & { workspaceName: string; email: string }> {
  const invitation = await requireInvitation(context, caller, token)
  const { workspaceId, shard, workspaceName, userId: id, email } = invitation
  const invitedCaller = { ...caller, workspaceId, shard, principal: { id, type: 'user' as const } }
  return await context.database.transact(invitedCaller, async (tx) => {
    // Before the membership is created: a member counts as signed up.
    const user = await findOrSignUpUser(context, tx, email)
    if ('rejection' in user) throw problem('invalid_invitation')
    const accepted = await createMembershipFromInvitation(tx, invitation, hashSecret(token))
    if (accepted === undefined) throw problem('invalid_invitation')
    tx.audit({ targets: [{ type: 'user', id }], changes: { role: accepted.role } })
    publishInvalidation(context, tx, { principal_id: id })
    return { ...accepted, workspaceName, email }
  })
}

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
  await insertMembership(tx, workspaceId, taken.userId, taken, invitation_id)
  return { workspaceId, userId: taken.userId, role: taken.role }
}
