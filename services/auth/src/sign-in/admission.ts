import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { acceptPending } from '../invitations/accept.ts'
import { type Account, findAccount, lockAddress } from '../store/accounts.ts'
import type { Tx } from '../store/transaction.ts'
import { ensureUser, verifyMailbox } from '../store/users.ts'
import { insertWorkspace } from '../store/workspaces.ts'
import { slugsFor } from '../workspaces/slug.ts'

/** Who somebody is who has just shown that an address is theirs; or why they are nobody here. */
export type Admission = { userId: string } | { refused: 'disabled' | 'signup_closed' }

/** Whether a mail to an address can sign anybody in. Asks the database the same whatever the answer. */
export async function mayEnter({ signup }: Pick<Context, 'signup'>, tx: Tx, email: string): Promise<boolean> {
  const account = await findAccount(tx.query, email)
  if (account?.disabled === true) return false
  return signup === 'open' || (account !== undefined && (isOne(account) || account.isInvited))
}

/** An account is one that was signed in to before, or belongs to somebody's workspace; an invitation alone makes none. */
const isOne = ({ verified, isMember }: Account): boolean => verified || isMember

/**
 * The user of an address that was just shown to be theirs. Whoever is a member nowhere joins where they are invited; an
 * address nobody knows becomes an account with a workspace of its own, where that is open. Comes back as the workspace
 * it began in.
 * @param email in lower case
 */
export async function admit(context: Pick<Context, 'signup' | 'homes'>, tx: Tx, email: string): Promise<Admission> {
  await lockAddress(tx.query, email)
  const account = await findAccount(tx.query, email)
  if (account?.disabled === true) return { refused: 'disabled' }
  const accepted = account === undefined ? [] : await acceptPending(tx, account.userId)
  if (account !== undefined && (isOne(account) || accepted.length > 0)) {
    await verifyMailbox(tx, account.userId)
    return { userId: account.userId }
  }
  if (context.signup === 'closed') return { refused: 'signup_closed' }
  return { userId: await signUp(context, tx, email, account) }
}

async function signUp(
  { homes }: Pick<Context, 'homes'>,
  tx: Tx,
  email: string,
  account: Account | undefined,
): Promise<string> {
  const before = tx.place
  const ownerId = account?.userId ?? (await ensureUser(tx, email))
  await verifyMailbox(tx, ownerId)
  const actor = { id: ownerId, type: 'user' as const }
  tx.auditAlso({ action: 'user.signed_up', targets: [{ type: 'user', id: ownerId }] }, actor)
  const name = `${email.slice(0, email.lastIndexOf('@')).slice(0, 80)}'s workspace`
  const workspaceId = newId('ws')
  await insertWorkspace(tx, { workspaceId, name, ...homes.of(workspaceId), metadata: {}, ownerId }, slugsFor(name))
  tx.auditAlso({ action: 'workspace.created', targets: [{ type: 'workspace', id: workspaceId }] }, actor)
  await tx.enterWorkspace(before)
  return ownerId
}
