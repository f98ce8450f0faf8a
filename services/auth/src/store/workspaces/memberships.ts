import { problem } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { ApiKey, ServicePrincipal, User } from '#db'
import type { Tx } from '../client.ts'
import type { RoleReference } from './invitations.ts'
import type { RoleGrant } from './roles.ts'

/**
 * Locks members and roles of a workspace until the transaction ends. The lock does not block the creation of
 * credentials, whose foreign keys only need the row to exist.
 * @returns false if the workspace does not exist
 */
export async function lockMemberships({ query }: Tx, workspaceId: string): Promise<boolean> {
  const rows = await query('SELECT FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE', [
    workspaceId,
  ])
  return rows.length === 1
}

/**
 * Finds the role of a member; undefined if the user is not a member. The membership cannot end or change until the
 * transaction does, so that a removal finds everything the member created.
 */
export async function findMemberRole(
  { query }: Tx,
  workspaceId: string,
  userId: string,
): Promise<RoleGrant | undefined> {
  const [row] = await query<RoleGrant>(
    `SELECT m.built_in_role, m.role_id, r.scopes FROM memberships m LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.workspace_id = $1 AND m.user_id = $2 FOR SHARE OF m`,
    [workspaceId, userId],
  )
  return row
}

/** As `findMemberRole`, for the scopes of a service principal or API key by id; undefined if it is not active. */
export async function findCredentialScopes(
  { query }: Tx,
  workspaceId: string,
  id: string,
): Promise<string[] | undefined> {
  const [principal] = await query<Row<ServicePrincipal, 'scopes'>>(
    `SELECT scopes FROM service_principals
     WHERE workspace_id = $1 AND client_id = $2 AND status = 'active' AND deleted_at IS NULL FOR SHARE`,
    [workspaceId, id],
  )
  if (principal !== undefined) return principal.scopes
  const [key] = await query<Row<ApiKey, 'scopes'>>(
    `SELECT scopes FROM api_keys
     WHERE workspace_id = $1 AND key_id = $2 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     FOR SHARE`,
    [workspaceId, id],
  )
  return key?.scopes
}

/**
 * Inserts a membership in the transaction's workspace. An existing membership stays unchanged.
 * @param invitationId the invitation that it replaces
 */
export async function insertMembership(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { builtInRole, roleId }: RoleReference,
  invitationId: string | null = null,
): Promise<void> {
  await query(
    `INSERT INTO memberships (workspace_id, user_id, built_in_role, role_id, invitation_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, user_id) DO NOTHING`,
    [workspaceId, userId, builtInRole, roleId, invitationId],
  )
}

/** Condition: there is another owner who is not disabled. A disabled owner cannot manage the workspace. */
const anotherActiveOwner = `EXISTS (
  SELECT FROM memberships o JOIN users u ON u.user_id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = m.workspace_id AND o.user_id <> m.user_id AND o.built_in_role = 'owner')`

/** Changes the role of a member. Requires the lock of `lockMemberships`. @throws Problem `last_owner` */
export async function updateMembershipRole(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { builtInRole, roleId }: RoleReference,
): Promise<void> {
  const rows = await query(
    `UPDATE memberships m SET built_in_role = $3, role_id = $4, updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND user_id = $2
       AND (built_in_role IS DISTINCT FROM 'owner' OR $3 IS NOT DISTINCT FROM 'owner' OR ${anotherActiveOwner})
     RETURNING user_id`,
    [workspaceId, userId, builtInRole, roleId],
  )
  if (rows.length === 0) throw lastOwnerProblem()
}

/** Deletes a membership. Requires the lock of `lockMemberships`. @throws Problem `last_owner` */
export async function deleteMembership({ query }: Tx, workspaceId: string, userId: string): Promise<void> {
  const rows = await query(
    `DELETE FROM memberships m WHERE workspace_id = $1 AND user_id = $2
       AND (built_in_role IS DISTINCT FROM 'owner' OR ${anotherActiveOwner})
     RETURNING user_id`,
    [workspaceId, userId],
  )
  if (rows.length === 0) throw lastOwnerProblem()
}

const lastOwnerProblem = () => problem('last_owner', { detail: 'The workspace would be left without an owner' })

/** A member of a workspace with their profile and role; locale and time zone are those of the workspace by default. */
interface RecipientRow
  extends Pick<RoleGrant, 'builtInRole' | 'scopes'>,
    Row<User, 'userId' | 'email' | 'name' | 'locale' | 'timezone'> {
  workspaceName: string
}

/** Lists active members by user id; up to `limit + 1` rows, to detect a next page. */
export const listRecipients = (
  query: Query,
  workspaceId: string,
  { limit, after, userId }: { limit: number; after: string | undefined; userId: string | undefined },
): Promise<RecipientRow[]> =>
  query<RecipientRow>(
    `SELECT u.user_id, u.email, u.name, w.name AS workspace_name, coalesce(u.locale, w.locale) AS locale,
       coalesce(u.timezone, w.timezone) AS timezone, m.built_in_role, r.scopes
     FROM memberships m JOIN users u ON u.user_id = m.user_id AND u.disabled_at IS NULL
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.workspace_id = $1 AND m.user_id > $3 AND ($4::text IS NULL OR m.user_id = $4)
     ORDER BY m.user_id LIMIT $2`,
    [workspaceId, limit + 1, after ?? '', userId ?? null],
  )
