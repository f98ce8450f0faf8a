import { randomBytes } from 'node:crypto'
import { invalidField, problem } from '@wp/contracts'
import { enforceQuota } from '@wp/database'
import { enqueueMail, type MailTemplate, preventAutolinks } from '@wp/mail'
import type { Context, Operation } from '../context.ts'
import { countInvitationMail } from '../invitations/invitation-limits.ts'
import { findRoleByNameOrId } from '../roles/built-in-roles.ts'
import { assertCanAssignRole, assertCanManageRole } from '../roles/caller-authority.ts'
import { transactAsAdmin } from '../roles/transact-as-admin.ts'
import { workspaceUserView } from '../roles/views.ts'
import { hashSecret, type Secret } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { seatQuota } from '../store/quotas.ts'
import { ensureUser, findUserLabel } from '../store/users.ts'
import { upsertInvitation } from '../store/workspaces/invitations.ts'
import { findWorkspaceUserOfAccount, type WorkspaceUserRow } from '../store/workspaces/workspace-users.ts'
import { requireWorkspace } from '../store/workspaces/workspaces.ts'

/**
 * Invites a user by mail. Creates the user now, the membership when the invitation is accepted. A repeated invitation
 * sends a new mail and invalidates the link of the earlier one.
 */
export const inviteUser: Operation<'inviteUser'> = async (context, caller, { body }) => {
  const { workspaceId } = caller
  const { email } = body
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const role = await findRoleByNameOrId(tx, workspaceId, body.role)
    if (role === undefined) throw unknownRoleProblem()
    assertCanAssignRole(authority, role)
    const userId = await ensureUser(tx, email)
    const before = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
    if (before?.status === 'active') throw problem('already_member')
    if (before !== undefined) assertCanManageRole(authority, before)
    await countInvitationMail(tx.query, { workspaceId, email, ip: caller.request?.ip })
    const token = generateInvitationToken()
    const expiresAt = new Date(context.now() + invitationLifetimeMs)
    const invitedBy = caller.principal.id
    const id = await upsertInvitation(tx, { workspaceId, userId, role, tokenHash: token.hash, invitedBy, expiresAt })
    const inviter = await findUserLabel(tx.query, invitedBy)
    await enqueueInvitationMail(context, tx, { email, userId, role: role.name, token: token.text, expiresAt, inviter })
    // An invitation that is only renewed takes no further seat.
    if (!isPending(before, context.now())) await enforceQuota(tx.query, workspaceId, seatQuota)
    tx.emit({ kind: 'USER_INVITED', data: { id, status: 'invited', role: role.name } })
    tx.audit({ changes: { role: role.name } })
    const invited = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
    if (invited === undefined) throw new Error('an invitation that was just stored was not found')
    return workspaceUserView(invited)
  })
}

const isPending = (before: WorkspaceUserRow | undefined, now: number): boolean =>
  (before?.invitationExpiresAt?.getTime() ?? 0) > now

interface InvitationMailInput {
  email: string
  userId: string
  role: string
  token: string
  expiresAt: Date
  /** Name and address of the user who invites; undefined for a program. */
  inviter: string | undefined
}

async function enqueueInvitationMail(
  context: Context,
  tx: Tx,
  { email, userId, role, token, expiresAt, inviter }: InvitationMailInput,
): Promise<void> {
  const { name: workspaceName } = await requireWorkspace(tx.query, tx.workspaceId ?? '', userId)
  const { publicBaseUrl } = context
  const template = createInvitationMail({ publicBaseUrl, workspaceName, role, token, inviter })
  await enqueueMail(context, tx, { to: email, template, expiresAt })
}

/** The error for a role that does not exist in the workspace. */
export const unknownRoleProblem = () =>
  invalidField('/role', 'is not a role of this workspace: see GET /v1/auth/admin/roles', 'unknown_reference')

/** Time in which an invitation can be accepted. */
const invitationLifetimeMs = 7 * 86_400_000

/** Generates the token of an invitation mail: 256 random bits. */
function generateInvitationToken(): Secret {
  const text = `wpinv_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}

interface InvitationMailOptions {
  publicBaseUrl: string
  workspaceName: string
  role: string
  token: string
  inviter: string | undefined
}

/** Creates the mail that invites a user to a workspace, by the name of the user who invites. */
export function createInvitationMail({
  publicBaseUrl,
  workspaceName,
  role,
  token,
  inviter,
}: InvitationMailOptions): MailTemplate {
  const invited = inviter === undefined ? 'You are invited' : `${preventAutolinks(inviter)} invited you`
  return {
    subject: `${invited} to ${preventAutolinks(workspaceName)}`,
    heading: `Join ${preventAutolinks(workspaceName)}`,
    blocks: [
      { text: `${invited} to the workspace ${preventAutolinks(workspaceName)}, as ${preventAutolinks(role)}.` },
      { button: `${publicBaseUrl}/v1/auth/invitations/accept?token=${token}`, label: 'Accept the invitation' },
      { text: 'The invitation expires in seven days. Accepting it confirms that this mailbox is yours.' },
    ],
    footer: [{ text: 'If you do not know the workspace, ignore this mail.' }],
  }
}
