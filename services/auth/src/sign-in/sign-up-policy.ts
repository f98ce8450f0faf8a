import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { acceptPendingInvitations } from '../invitations/accept-invitation.ts'
import type { Tx } from '../store/transaction.ts'
import { type Account, findAccount, lockEmail } from '../store/users/accounts.ts'
import { ensureUser, markEmailVerified } from '../store/users/users.ts'
import { insertWorkspace } from '../store/workspaces/workspaces.ts'
import { slugCandidates } from '../workspaces/slug.ts'

/** The user of a verified address, or the reason why the address cannot sign in. */
export type SignInUser = { userId: string } | { rejection: 'disabled' | 'signup_closed' }

/**
 * Returns true if the address may sign in. Executes the same statements for every result, to leak nothing by timing.
 */
export async function canSignIn(
  { signUpPolicy }: Pick<Context, 'signUpPolicy'>,
  tx: Tx,
  email: string,
): Promise<boolean> {
  const account = await findAccount(tx.query, email)
  if (account?.isDisabled === true) return false
  return signUpPolicy === 'open' || (account !== undefined && (isEstablished(account) || account.isInvited))
}

/** Returns true if the account has signed in before or has a membership. An invitation alone does not count. */
const isEstablished = ({ isEmailVerified, isMember }: Account): boolean => isEmailVerified || isMember

/**
 * Returns the user of an address whose ownership was just verified. A user without memberships joins the workspaces of
 * the pending invitations. An unknown address signs up with a new workspace if sign-up is open. Leaves the transaction
 * in the workspace it was in.
 * @param email lower case
 */
export async function findOrSignUpUser(
  context: Pick<Context, 'signUpPolicy' | 'shardPlacement'>,
  tx: Tx,
  email: string,
): Promise<SignInUser> {
  await lockEmail(tx.query, email)
  const account = await findAccount(tx.query, email)
  if (account?.isDisabled === true) return { rejection: 'disabled' }
  const accepted = account === undefined ? [] : await acceptPendingInvitations(tx, account.userId)
  if (account !== undefined && (isEstablished(account) || accepted.length > 0)) {
    await markEmailVerified(tx, account.userId)
    return { userId: account.userId }
  }
  if (context.signUpPolicy === 'closed') return { rejection: 'signup_closed' }
  return { userId: await signUp(context, tx, email, account) }
}

async function signUp(
  { shardPlacement }: Pick<Context, 'shardPlacement'>,
  tx: Tx,
  email: string,
  account: Account | undefined,
): Promise<string> {
  const previousWorkspace = tx.workspace
  const ownerId = account?.userId ?? (await ensureUser(tx, email))
  await markEmailVerified(tx, ownerId)
  const actor = { id: ownerId, type: 'user' as const }
  tx.emitAudit({ action: 'user.signed_up', targets: [{ type: 'user', id: ownerId }] }, actor)
  const name = `${email.slice(0, email.lastIndexOf('@')).slice(0, 80)}'s workspace`
  const workspaceId = newId('ws')
  await insertWorkspace(
    tx,
    { workspaceId, name, ...shardPlacement.placementFor(workspaceId), metadata: {}, ownerId },
    slugCandidates(name),
  )
  tx.emitAudit({ action: 'workspace.created', targets: [{ type: 'workspace', id: workspaceId }] }, actor)
  await tx.switchWorkspace(previousWorkspace)
  return ownerId
}
