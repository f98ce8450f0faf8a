import { problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { hashSecret } from '../secrets/secret.ts'
import { findInvitationByToken } from '../store/invitations.ts'
import { verifyMailbox } from '../store/users.ts'
import { type Accepted, accept } from './accept.ts'
import { checkGuesses, countGuess } from './limits.ts'

/**
 * What a token opens.
 * @throws Problem `invalid_invitation`, `rate_limited`
 */
export async function openInvitation(context: Context, caller: RequestCaller, token: string) {
  const address = caller.request?.ip
  await checkGuesses(context, address)
  const found = await findInvitationByToken(context.database.worker, hashSecret(token))
  if (found === undefined) await countGuess(context, address)
  if (found === undefined) throw problem('invalid_invitation')
  return found
}

/**
 * Accepts an invitation by the token of its mail, which proves that the mailbox is theirs: the membership is there, the
 * address verified, and the token is spent.
 * @throws Problem `invalid_invitation`, `rate_limited`
 */
export async function acceptByToken(
  context: Context,
  caller: RequestCaller,
  token: string,
): Promise<Accepted & { workspaceName: string }> {
  const found = await openInvitation(context, caller, token)
  const { workspace_id: workspaceId, shard, workspace_name: workspaceName, user_id: id } = found
  const invited = { ...caller, workspaceId, shard, principal: { id, type: 'user' as const } }
  return await context.database.transact(invited, async (tx) => {
    const accepted = await accept(tx, found, hashSecret(token))
    if (accepted === undefined) throw problem('invalid_invitation')
    if (!(await verifyMailbox(tx, id))) throw problem('invalid_invitation')
    tx.audit({ targets: [{ type: 'user', id }], changes: { role: accepted.role } })
    invalidate(context, tx, { principal_id: id })
    return { ...accepted, workspaceName }
  })
}
