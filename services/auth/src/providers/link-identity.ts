import type { Context } from '../context.ts'
import { acceptPendingInvitations } from '../invitations/accept-invitation.ts'
import { findOrSignUpUser } from '../sign-in/sign-up-policy.ts'
import type { Tx } from '../store/transaction.ts'
import { findAccount, findExternalIdentity, insertExternalIdentity, lockEmail } from '../store/users/accounts.ts'
import { markEmailVerified } from '../store/users/users.ts'
import type { ProviderIdentity, ProviderName } from './provider.ts'

/** Why somebody whom a provider knows is not let in: the `error` the application is told. */
export type LinkRejection = 'access_denied' | 'email_unverified' | 'account_exists' | 'signup_closed'

/**
 * Whose account it is that a provider's belongs to: the one it was linked with before; by address only where both sides
 * have verified it. An address that was only ever written into an invitation is nobody's yet, so it links to nothing.
 */
export async function linkIdentity(
  context: Pick<Context, 'signUpPolicy' | 'shardPlacement'>,
  tx: Tx,
  provider: ProviderName,
  identity: ProviderIdentity,
): Promise<{ userId: string } | { rejection: LinkRejection }> {
  const linked = await findExternalIdentity(tx.query, identity)
  if (linked?.isDisabled === true) return { rejection: 'access_denied' }
  if (linked !== undefined) {
    if (linked.email === identity.email) await markEmailVerified(tx, linked.userId)
    await acceptPendingInvitations(tx, linked.userId)
    return { userId: linked.userId }
  }
  const { email } = identity
  if (email === undefined) return { rejection: 'email_unverified' }
  await lockEmail(tx.query, email)
  // somebody else may have linked it while we waited
  const linkedConcurrently = await findExternalIdentity(tx.query, identity)
  if (linkedConcurrently !== undefined) return { userId: linkedConcurrently.userId }
  const account = await findAccount(tx.query, email)
  if (account !== undefined && !account.isEmailVerified) return { rejection: 'account_exists' }
  const user = await findOrSignUpUser(context, tx, email)
  if ('rejection' in user) return { rejection: user.rejection === 'disabled' ? 'access_denied' : 'signup_closed' }
  const { userId } = user
  await insertExternalIdentity(tx.query, userId, identity)
  const actor = { id: userId, type: 'user' as const }
  const targets = [{ type: 'user', id: userId }]
  tx.emitAudit({ action: 'user.identity_linked', targets, changes: { provider } }, actor)
  return { userId }
}
