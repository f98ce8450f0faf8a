import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { acceptPendingInvitations } from '../invitations/accept-invitation.ts'
import type { Tx } from '../store/transaction.ts'
import { type Account, findAccount, lockEmail } from '../store/users/accounts.ts'
import { ensureUser, markEmailVerified } from '../store/users/users.ts'
import { insertWorkspace } from '../store/workspaces/workspaces.ts'
import { slugCandidates } from '../workspaces/slug.ts'

/** Who somebody is who has just shown that an address is theirs; or why they are nobody here. */
export type SignInUser = { userId: string } | { rejection: 'disabled' | 'signup_closed' }

/** Whether a mail to an address can sign anybody in. Asks the database the same whatever the answer. */
export async function canSignIn(
  { signUpPolicy }: Pick<Context, 'signUpPolicy'>,
  tx: Tx,
  email: string,
): Promise<boolean> {
  const account = await findAccount(tx.query, email)
  if (account?.isDisabled === true) return false
  return signUpPolicy === 'open' || (account !== undefined && (isEstablished(account) || account.isInvited))
}

/** An account is one that was signed in to before, or belongs to somebody's workspace; an invitation alone makes none. */
const isEstablished = ({ isEmailVerified, isMember }: Account): boolean => isEmailVerified || isMember

/**
 * The user of an address that was just shown to be theirs. Whoever is a member nowhere joins where they are invited; an
 * address nobody knows becomes an account with a workspace of its own, where that is open. Comes back as the workspace
 * it began in.
 * @param email in lower case
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
