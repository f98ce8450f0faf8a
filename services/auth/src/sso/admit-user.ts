import { enforceQuota } from '@wp/database'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import type { LinkRejection } from '../sign-in/link-identity.ts'
import type { Tx } from '../store/client.ts'
import { findScimUserOfAccount } from '../store/directory/scim-users.ts'
import { readSignInPolicy, type SignInPolicyRow } from '../store/directory/sign-in-policy.ts'
import { listVerifiedDomains } from '../store/directory/sso-domains.ts'
import { seatQuota } from '../store/quotas.ts'
import {
  ensureUser,
  findAccount,
  findExternalIdentity,
  insertExternalIdentity,
  lockEmail,
  markEmailVerified,
} from '../store/users.ts'
import { deleteInvitation } from '../store/workspaces/invitations.ts'
import { insertMembership, lockMemberships, updateMembershipRole } from '../store/workspaces/memberships.ts'
import { findWorkspaceUserOfAccount } from '../store/workspaces/workspace-users.ts'
import { domainOf, type SsoIdentity } from './sso-claims.ts'

/**
 * Finds or creates the user of an identity that the provider of a workspace has confirmed, and makes them a member. The
 * transaction is in the workspace. A user whom the directory has deactivated is refused.
 * @throws Problem `quota_exceeded` if no seat is free
 */
export async function admitUser(
  context: Context,
  tx: Tx,
  workspaceId: string,
  identity: SsoIdentity,
): Promise<{ userId: string } | { rejection: LinkRejection }> {
  if (!(await lockMemberships(tx, workspaceId))) return { rejection: 'access_denied' }
  const linked = await findOrLink(tx, workspaceId, identity)
  if ('rejection' in linked) return linked
  const { userId } = linked
  const provisioned = await findScimUserOfAccount(tx.query, workspaceId, userId)
  if (provisioned?.active === false) return { rejection: 'access_denied' }
  const member = await findWorkspaceUserOfAccount(tx.query, workspaceId, userId)
  const policy = await readSignInPolicy(tx.query, workspaceId)
  const role = roleOfGroups(policy, identity.groups)
  const actor = { id: userId, type: 'user' as const }
  const targets = [{ type: 'user', id: userId }]
  if (member?.status !== 'active') {
    if (member !== undefined) await deleteInvitation(tx, workspaceId, member.userId)
    await insertMembership(tx, workspaceId, userId, role, member?.invitationId)
    await enforceQuota(tx.query, workspaceId, seatQuota)
    tx.emitAudit({ action: 'user.provisioned', targets, changes: { role: role.role } }, actor)
    publishInvalidation(context, tx, { principal_id: userId })
  } else if (
    // The groups of a directory are newer than those of a token.
    provisioned === undefined &&
    policy.groupRoles.length > 0 &&
    member.builtInRole !== 'owner' &&
    member.role !== role.role
  ) {
    await updateMembershipRole(tx, workspaceId, userId, role)
    const changes = { role: role.role, role_before: member.role }
    tx.emitAudit({ action: 'user.role_changed', targets, changes }, actor)
    publishInvalidation(context, tx, { principal_id: userId })
  }
  return { userId }
}

/** Links an identity with the account of its address. That of a linked account must be of the company too. */
async function findOrLink(
  tx: Tx,
  workspaceId: string,
  identity: SsoIdentity,
): Promise<{ userId: string } | { rejection: LinkRejection }> {
  const { email } = identity
  await lockEmail(tx.query, email)
  const linked = await findExternalIdentity(tx.query, identity)
  if (linked?.isDisabled === true) return { rejection: 'access_denied' }
  if (linked !== undefined) {
    const domains = await listVerifiedDomains(tx.query, workspaceId)
    return domains.includes(domainOf(linked.email)) ? { userId: linked.userId } : { rejection: 'account_exists' }
  }
  const account = await findAccount(tx.query, email)
  if (account?.isDisabled === true) return { rejection: 'access_denied' }
  const userId = await ensureUser(tx, email)
  await markEmailVerified(tx, userId)
  await insertExternalIdentity(tx.query, userId, identity)
  const actor = { id: userId, type: 'user' as const }
  tx.emitAudit(
    { action: 'user.identity_linked', targets: [{ type: 'user', id: userId }], changes: { provider: 'sso' } },
    actor,
  )
  return { userId }
}

/** Returns the role of the first entry of the mapping with one of the groups, or the default role. */
export function roleOfGroups({ groupRoles, defaultRole }: SignInPolicyRow, groups: readonly string[]) {
  const names = new Set(groups.map((group) => group.toLowerCase()))
  return groupRoles.find(({ groupName }) => names.has(groupName.toLowerCase())) ?? defaultRole
}
