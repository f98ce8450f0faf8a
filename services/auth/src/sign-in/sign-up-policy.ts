import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { type Account, ensureUser, findAccount, lockEmail, markEmailVerified } from '../store/users.ts'
import { insertWorkspace } from '../store/workspaces/workspaces.ts'

/** The user of a verified address, or the reason why the address cannot sign in. */
type SignInUser = { userId: string } | { rejection: 'disabled' | 'signup_closed' }

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
 * Returns the user of an address whose ownership was just verified, at a sign-in or by the link of an invitation. The
 * first time, the user signs up: with a workspace of their own if sign-up is open; without one if it is closed, when
 * only invited addresses are admitted. Pending invitations stay pending, because strangers can invite any address.
 * Leaves the transaction in the workspace it was in.
 * @param email lower case
 */
export async function findOrSignUpUser(context: SignUpContext, tx: Tx, email: string): Promise<SignInUser> {
  await lockEmail(tx.query, email)
  const account = await findAccount(tx.query, email)
  if (account?.isDisabled === true) return { rejection: 'disabled' }
  if (account !== undefined && isEstablished(account)) {
    await markEmailVerified(tx, account.userId)
    return { userId: account.userId }
  }
  if (context.signUpPolicy === 'closed' && account?.isInvited !== true) return { rejection: 'signup_closed' }
  return { userId: await signUp(context, tx, email) }
}

type SignUpContext = Pick<Context, 'signUpPolicy' | 'shardPlacement'>

async function signUp({ signUpPolicy, shardPlacement }: SignUpContext, tx: Tx, email: string): Promise<string> {
  const previousWorkspace = tx.workspace
  await tx.switchWorkspace(null)
  const ownerId = await ensureUser(tx, email)
  await markEmailVerified(tx, ownerId)
  const actor = { id: ownerId, type: 'user' as const }
  tx.emitAudit({ action: 'user.signed_up', targets: [{ type: 'user', id: ownerId }] }, actor)
  if (signUpPolicy === 'open') {
    const name = `${email.slice(0, email.lastIndexOf('@')).slice(0, 80)}'s workspace`
    const workspaceId = newId('ws')
    await insertWorkspace(tx, { workspaceId, name, ...shardPlacement.placementFor(workspaceId), metadata: {}, ownerId })
    tx.emitAudit({ action: 'workspace.created', targets: [{ type: 'workspace', id: workspaceId }] }, actor)
  }
  await tx.switchWorkspace(previousWorkspace)
  return ownerId
}
