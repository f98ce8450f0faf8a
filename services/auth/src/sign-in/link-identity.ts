import type { Context } from '../context.ts'
import type { ProviderIdentity, ProviderName } from '../providers/provider.ts'
import type { Tx } from '../store/client.ts'
import {
  findAccount,
  findExternalIdentity,
  insertExternalIdentity,
  lockEmail,
  markEmailVerified,
} from '../store/users.ts'
import { findOrSignUpUser } from './sign-up-policy.ts'

/** Reason why an identity cannot sign in: the `error` parameter sent to the application. */
export type LinkRejection = 'access_denied' | 'email_unverified' | 'account_exists' | 'signup_closed'

/**
 * Finds the user of a provider identity, and links the identity if it is new. An identity is linked by address only if
 * both the provider and this platform have verified the address; a member whose address is unverified is rejected. An
 * address that was merely invited has no account yet, so its identity signs up like any new one.
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
    return { userId: linked.userId }
  }
  const { email } = identity
  if (email === undefined) return { rejection: 'email_unverified' }
  await lockEmail(tx.query, email)
  // A concurrent request may have linked the identity while this one waited for the lock.
  const linkedConcurrently = await findExternalIdentity(tx.query, identity)
  if (linkedConcurrently !== undefined) return { userId: linkedConcurrently.userId }
  const account = await findAccount(tx.query, email)
  if (account?.isMember === true && !account.isEmailVerified) return { rejection: 'account_exists' }
  const user = await findOrSignUpUser(context, tx, email)
  if ('rejection' in user) return { rejection: user.rejection === 'disabled' ? 'access_denied' : 'signup_closed' }
  const { userId } = user
  await insertExternalIdentity(tx.query, userId, identity)
  const actor = { id: userId, type: 'user' as const }
  const targets = [{ type: 'user', id: userId }]
  tx.emitAudit({ action: 'user.identity_linked', targets, changes: { provider } }, actor)
  return { userId }
}
