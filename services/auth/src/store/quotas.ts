import { type CountedQuota, countRows, enforceQuota, type Query } from '@wp/database'
import { isApiKey } from './credentials/api-keys.ts'
import { withUserContext } from './cross-workspace.ts'

export const apiKeyQuota = countRows('api_keys', 'api_keys', `deleted_at IS NULL AND ${isApiKey}`)
export const servicePrincipalQuota = countRows('service_principals', 'service_principals', 'deleted_at IS NULL')

/** Members and pending invitations. Accepting an invitation takes no further seat. */
export const seatQuota: CountedQuota = {
  quota: 'seats',
  kind: null,
  count: `((SELECT count(*) FROM memberships WHERE workspace_id = $1)
    + (SELECT count(*) FROM invitations WHERE workspace_id = $1 AND expires_at > now()))`,
}

/** Workspaces in which a user is an owner. */
export const workspaceQuota: CountedQuota = {
  quota: 'workspaces',
  kind: null,
  count: `(SELECT count(*) FROM memberships WHERE user_id = $1 AND built_in_role = 'owner')`,
}

/** Asserts that a workspace just created is within the quota of its owner. @throws Problem `quota_exceeded` */
export const enforceWorkspaceQuota = (query: Query, userId: string): Promise<void> =>
  withUserContext(query, userId, () => enforceQuota(query, userId, workspaceQuota))
