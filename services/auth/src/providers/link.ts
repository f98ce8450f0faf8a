import type { Context } from '../context.ts'
import { acceptPending } from '../invitations/accept.ts'
import { admit } from '../sign-in/admission.ts'
import { findAccount, findIdentity, insertIdentity, lockAddress } from '../store/accounts.ts'
import type { Tx } from '../store/transaction.ts'
import { verifyMailbox } from '../store/users.ts'
import type { Person, ProviderName } from './provider.ts'

/** Why somebody whom a provider knows is not let in: the `error` the application is told. */
export type LinkRefusal = 'access_denied' | 'email_unverified' | 'account_exists' | 'signup_closed'

/**
 * Whose account it is that a provider's belongs to: the one it was linked with before; by address only where both sides
 * have verified it. An address that was only ever written into an invitation is nobody's yet, so it links to nothing.
 */
export async function link(
  context: Pick<Context, 'signup' | 'homes'>,
  tx: Tx,
  provider: ProviderName,
  person: Person,
): Promise<{ userId: string } | { refused: LinkRefusal }> {
  const known = await findIdentity(tx.query, person)
  if (known?.disabled === true) return { refused: 'access_denied' }
  if (known !== undefined) {
    if (known.email === person.email) await verifyMailbox(tx, known.userId)
    await acceptPending(tx, known.userId)
    return { userId: known.userId }
  }
  const { email } = person
  if (email === undefined) return { refused: 'email_unverified' }
  await lockAddress(tx.query, email)
  // somebody else may have linked it while we waited
  const meanwhile = await findIdentity(tx.query, person)
  if (meanwhile !== undefined) return { userId: meanwhile.userId }
  const account = await findAccount(tx.query, email)
  if (account !== undefined && !account.verified) return { refused: 'account_exists' }
  const admission = await admit(context, tx, email)
  if ('refused' in admission) return { refused: admission.refused === 'disabled' ? 'access_denied' : 'signup_closed' }
  const { userId } = admission
  await insertIdentity(tx.query, userId, person)
  const actor = { id: userId, type: 'user' as const }
  const targets = [{ type: 'user', id: userId }]
  tx.auditAlso({ action: 'user.identity_linked', targets, changes: { provider } }, actor)
  return { userId }
}
