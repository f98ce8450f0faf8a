import { problem } from '@wp/contracts'
import type { Tx } from '../transaction.ts'
import type { RoleReference } from './invitations.ts'
import type { RoleGrant } from './roles.ts'

/**
 * Holds the workspace against every other change of its people and roles until the transaction ends, so that what was
 * read of them stays true. Credentials can be made meanwhile: they need the row only to be there.
 * @returns whether there is such a workspace
 */
export async function lockMemberships({ query }: Tx, workspaceId: string): Promise<boolean> {
  const rows = await query('SELECT FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE', [
    workspaceId,
  ])
  return rows.length === 1
}

/** What a member may do; undefined when the user is none. */
export async function findMemberRole(
  { query }: Tx,
  workspaceId: string,
  userId: string,
): Promise<RoleGrant | undefined> {
  const [row] = await query<RoleGrant>(
    `SELECT m.built_in_role, m.role_id, r.scopes FROM memberships m LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.workspace_id = $1 AND m.user_id = $2`,
    [workspaceId, userId],
  )
  return row
}

/** What a service principal or an API key may do, by its identifier; undefined when it is none that may act. */
export async function findCredentialScopes(
  { query }: Tx,
  workspaceId: string,
  id: string,
): Promise<string[] | undefined> {
  const [row] = await query<{ scopes: string[] }>(
    `SELECT scopes FROM service_principals
     WHERE workspace_id = $1 AND client_id = $2 AND status = 'active' AND deleted_at IS NULL
     UNION ALL SELECT scopes FROM api_keys
     WHERE workspace_id = $1 AND key_id = $2 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [workspaceId, id],
  )
  return row?.scopes
}

/** Makes somebody a member of the workspace that was entered; who is one stays what they are. */
export async function insertMembership(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { built_in_role, role_id }: RoleReference,
): Promise<void> {
  await query(
    `INSERT INTO memberships (workspace_id, user_id, built_in_role, role_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, user_id) DO NOTHING`,
    [workspaceId, userId, built_in_role, role_id],
  )
}

/** Owners who could still act: one who is shut out of the platform keeps no workspace going. */
const anotherActiveOwner = `EXISTS (
  SELECT FROM memberships o JOIN users u ON u.user_id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = m.workspace_id AND o.user_id <> m.user_id AND o.built_in_role = 'owner')`

/** Gives a member another role, while the workspace is held (`lockPeople`). @throws Problem `last_owner` */
export async function updateMembershipRole(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { built_in_role, role_id }: RoleReference,
): Promise<void> {
  const rows = await query(
    `UPDATE memberships m SET built_in_role = $3, role_id = $4, updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND user_id = $2
       AND (built_in_role IS DISTINCT FROM 'owner' OR $3 IS NOT DISTINCT FROM 'owner' OR ${anotherActiveOwner})
     RETURNING user_id`,
    [workspaceId, userId, built_in_role, role_id],
  )
  if (rows.length === 0) throw lastOwnerProblem()
}

/** Ends a membership, while the workspace is held (`lockPeople`). @throws Problem `last_owner` */
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

/** Ends the API keys that a user created in the workspace. They stay as tombstones, as every deleted key. */
export async function deleteApiKeysCreatedBy(
  { query }: Tx,
  workspaceId: string,
  userId: string,
): Promise<{ key_id: string; name: string | null }[]> {
  return await query(
    `UPDATE api_keys SET deleted_at = clock_timestamp()
     WHERE workspace_id = $1 AND created_by = $2 AND created_by_type = 'user' AND deleted_at IS NULL
     RETURNING key_id, name`,
    [workspaceId, userId],
  )
}
