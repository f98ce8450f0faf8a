import { problem } from '@wp/contracts'
import { enforceQuota } from '@wp/database'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import type { Tx } from '../store/client.ts'
import type { ScimUserRow } from '../store/directory/scim-users.ts'
import { applyGroupRoles, readSignInPolicy } from '../store/directory/sign-in-policy.ts'
import { seatQuota } from '../store/quotas.ts'
import { endClientSessionsOfUser, endSessionsWithoutWorkspace } from '../store/sessions/sessions.ts'
import { deleteInvitation } from '../store/workspaces/invitations.ts'
import { insertMembership } from '../store/workspaces/memberships.ts'
import { findWorkspaceUserOfAccount, type WorkspaceUserRow } from '../store/workspaces/workspace-users.ts'
import { endMembership } from '../workspaces/end-membership.ts'

/** A member who joined or left, as the audit record states it. */
export interface MembershipChange {
  action: 'user.provisioned' | 'user.deprovisioned'
  role: string | undefined
  /** Credentials that were deleted. */
  revoked: { type: string; id: string }[]
}

type Provisioned = Pick<ScimUserRow, 'scimUserId' | 'userId' | 'userName'>

/**
 * Makes a user of the directory a member, with the role of their groups; a pending invitation is replaced. Requires the
 * lock of `lockMemberships`.
 * @returns undefined if the user is a member already
 * @throws Problem `quota_exceeded` if no seat is free
 */
export async function activate(
  context: Context,
  tx: Tx,
  workspaceId: string,
  { scimUserId, userId }: Provisioned,
): Promise<MembershipChange | undefined> {
  const before = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
  if (before?.status !== 'active') {
    if (before !== undefined) await deleteInvitation(tx, workspaceId, before.userId)
    const { defaultRole } = await readSignInPolicy(tx.query, workspaceId)
    await insertMembership(tx, workspaceId, userId, defaultRole, before?.invitationId)
    await enforceQuota(tx.query, workspaceId, seatQuota)
  }
  await assignGroupRoles(context, tx, workspaceId, [scimUserId])
  publishInvalidation(context, tx, { principal_id: userId })
  if (before?.status === 'active') return undefined
  const { role } = await requireMember(tx, workspaceId, userId)
  return { action: 'user.provisioned', role, revoked: [] }
}

/**
 * Removes a user of the directory from the workspace, with the credentials they created and the sessions of clients
 * they authorized for it. Their other sessions go on, unless no workspace is left to use them in.
 * @returns undefined if the user is no member
 * @throws Problem `owner_required` naming the user if they are an owner
 */
export async function deactivate(
  context: Context,
  tx: Tx,
  workspaceId: string,
  { userId, userName }: Provisioned,
): Promise<MembershipChange | undefined> {
  const user = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
  if (user === undefined) return undefined
  if (user.status === 'active' && user.builtInRole === 'owner') throw ownerProblem(user, userName)
  const revoked = await endMembership(context, tx, workspaceId, user, { revokesKeys: true, keepsDirectoryTokens: true })
  await endClientSessionsOfUser(tx.query, workspaceId, userId)
  await endSessionsWithoutWorkspace(tx.query, userId)
  return { action: 'user.deprovisioned', role: user.role, revoked }
}

const ownerProblem = ({ email }: WorkspaceUserRow, userName: string) =>
  problem('owner_required', {
    detail: `${userName} (${email}) is an owner of the workspace and cannot be deprovisioned; let an owner change the role first`,
  })

async function requireMember(tx: Tx, workspaceId: string, userId: string): Promise<WorkspaceUserRow> {
  const member = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
  if (member === undefined) throw new Error('a membership that was just stored was not found')
  return member
}

/**
 * Gives users of the directory the roles of their groups.
 * @param scimUserIds the users; undefined for all
 * @returns the number of members whose role changed
 */
export async function assignGroupRoles(
  context: Context,
  tx: Tx,
  workspaceId: string,
  scimUserIds: readonly string[] | undefined,
): Promise<number> {
  if (scimUserIds?.length === 0) return 0
  const changed = await applyGroupRoles(tx, workspaceId, scimUserIds)
  if (changed.length > maxInvalidations) publishInvalidation(context, tx, { workspace_id: workspaceId })
  else for (const id of changed) publishInvalidation(context, tx, { principal_id: id })
  return changed.length
}

/** Beyond this number of members the whole workspace is invalidated. */
const maxInvalidations = 50
