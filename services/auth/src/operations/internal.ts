import { isScope, maxIdentityChanges } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Operation } from '../context.ts'
import { scopesOfRole } from '../roles/built-in-roles.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { readChangePage } from '../store/identity-changes.ts'
import { apiKeyQuota, seatQuota, servicePrincipalQuota, workspaceQuota } from '../store/quotas.ts'
import { findMemberRole, listRecipients } from '../store/workspaces/memberships.ts'

/** Reads a page of the change log of identities. */
export const readIdentityChanges: Operation<'readIdentityChanges'> = async (
  { database },
  _caller,
  { query: { after } },
) => await readChangePage(workerQuery(database.extraPools.resolve), after, maxIdentityChanges)

/** Reads the quotas of the workspace and, for a user, of the user. The worker role reads them: they span workspaces. */
export const readQuotaUsage: Operation<'readQuotaUsage'> = async ({ database }, { workspaceId, principal }) => {
  const query = workerQuery(database.worker)
  const ofUser = principal.type === 'user' ? await readUsage(query, principal.id, [workspaceQuota]) : []
  return {
    quotas: [...ofUser, ...(await readUsage(query, workspaceId, [seatQuota, apiKeyQuota, servicePrincipalQuota]))],
  }
}

/** Counts the members and pending invitations of a workspace, for billing. */
export const readSeatUsage: Operation<'readSeatUsage'> = async ({ database }, caller) => {
  const { workspaceId } = caller
  const [use] = await database.read(caller, (_db, query) => readUsage(query, workspaceId, [seatQuota]))
  if (use === undefined) throw new Error('every quota that was asked for is counted')
  return { used: use.current }
}

/**
 * Reads whether the caller is an owner now: the edge may have signed the caller's scopes by an older identity. Service
 * principals and API keys are never owners, nor is a user who is no longer a member.
 */
export const readOwnership: Operation<'readOwnership'> = async ({ database }, caller) => {
  const { request: _request, ...withoutRequest } = caller
  const { principal, workspaceId } = caller
  if (principal.type !== 'user') return { is_owner: false }
  const role = await database.transact(withoutRequest, (tx) => findMemberRole(tx, workspaceId, principal.id))
  return { is_owner: role?.builtInRole === 'owner' }
}

/** Lists the members of a workspace for the notifications service. */
export const listNotificationRecipients: Operation<'listNotificationRecipients'> = async (
  { database },
  caller,
  { query: { limit, cursor, user_id: userId } },
) => {
  const { workspaceId } = caller
  if (workspaceId === null) return { items: [], nextCursor: null }
  const rows = await database.read(caller, (_db, sql) =>
    listRecipients(sql, workspaceId, { limit, after: cursor, userId }),
  )
  const items = rows.slice(0, limit).map((row) => ({
    user_id: row.userId,
    email: row.email,
    name: row.name,
    workspace_name: row.workspaceName,
    locale: row.locale,
    timezone: row.timezone,
    scopes: scopesOfRole(row).filter(isScope),
  }))
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.user_id ?? null) : null }
}
