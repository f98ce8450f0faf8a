import { type authUsers, invalidField, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invitationLetter } from '../invitations/letter.ts'
import { countInvitationMail } from '../invitations/limits.ts'
import { invitationMs, newInvitationToken } from '../invitations/token.ts'
import { enqueueMail } from '../mail/queue.ts'
import { administer } from '../roles/administer.ts'
import { checkGrant, checkReach } from '../roles/authority.ts'
import { personView } from '../roles/views.ts'
import { putInvitation } from '../store/invitations.ts'
import { findPerson, findPersonIfThere } from '../store/people.ts'
import { findNamedRole } from '../store/roles.ts'
import type { Tx } from '../store/transaction.ts'
import { ensureUser } from '../store/users.ts'
import { findWorkspace } from '../store/workspaces.ts'

/**
 * Invites somebody by mail. The user is there from now on, the membership only once they have accepted. One whose
 * invitation is pending gets another mail, and the link of the one before opens nothing any more.
 */
export const inviteUser: Operation<typeof authUsers.inviteUser, Context> = async (context, caller, { body }) => {
  const { workspaceId } = caller
  const email = body.email.toLowerCase()
  return await administer(context, caller, async (tx, authority) => {
    const role = await findNamedRole(tx, workspaceId, body.role)
    if (role === undefined) throw unknownRole()
    checkGrant(authority, role)
    const userId = await ensureUser(tx, email)
    const before = await findPersonIfThere(tx.query, workspaceId, userId)
    if (before?.status === 'active') throw problem('already_member')
    if (before !== undefined) checkReach(authority, before)
    await countInvitationMail(tx.query, { workspaceId, email, address: caller.request?.ip })
    const token = newInvitationToken()
    const expiresAt = new Date(context.now() + invitationMs)
    const invitedBy = caller.principal.id
    const id = await putInvitation(tx, { workspaceId, userId, role, tokenHash: token.hash, invitedBy, expiresAt })
    await mail(context, tx, { email, userId, role: role.name, token: token.text, expiresAt })
    tx.emit({ kind: 'USER_INVITED', data: { id, status: 'invited', role: role.name } })
    tx.audit({ changes: { role: role.name } })
    return personView(await findPerson(tx.query, workspaceId, userId))
  })
}

interface Mailing {
  email: string
  userId: string
  role: string
  token: string
  expiresAt: Date
}

async function mail(context: Context, tx: Tx, { email, userId, role, token, expiresAt }: Mailing): Promise<void> {
  const { name: workspaceName } = await findWorkspace(tx.query, tx.workspaceId ?? '', userId)
  const letter = invitationLetter({ base: context.base, workspaceName, role, token })
  await enqueueMail(context, tx, { to: email, letter, expiresAt })
}

/** A role that the workspace has not. */
export const unknownRole = () =>
  invalidField('/role', 'is not a role of this workspace: see GET /v1/auth/admin/roles', 'unknown_reference')
