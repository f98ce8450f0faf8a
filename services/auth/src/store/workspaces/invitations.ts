import { type Database, newId } from '@wp/database'
import type { Tx } from '../transaction.ts'
import { workerQuery } from '../worker-query.ts'

/** Reference to a built-in or custom role. */
export interface RoleReference {
  builtInRole: string | null
  roleId: string | null
}

/** Key of an invitation. */
export interface PendingInvitation {
  invitationId: string
  workspaceId: string
}

/** An invitation with the invited user, the workspace and the role. */
export type InvitationDetails = PendingInvitation & {
  userId: string
  /** Address of the invited user. */
  email: string
  shard: string
  workspaceName: string
  role: string
}

/** Finds a valid invitation by the hash of its token, in any workspace. @param hash SHA-256, hexadecimal */
export async function findInvitationByToken(
  pool: Database['worker'],
  hash: string,
): Promise<InvitationDetails | undefined> {
  const [row] = await workerQuery(pool)<InvitationDetails>(
    `SELECT i.invitation_id, i.workspace_id, w.shard, i.user_id, u.email, w.name AS workspace_name,
       coalesce(i.built_in_role, r.name) AS role
     FROM invitations i
     JOIN users u ON u.user_id = i.user_id
     JOIN workspaces w ON w.workspace_id = i.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = i.role_id
     WHERE i.token_hash = $1 AND i.expires_at > now()`,
    [hash],
  )
  return row
}

/**
 * Deletes a valid invitation of the transaction's workspace and returns it; undefined if it is no longer there.
 * @param tokenHash hash the invitation must have, if a token was presented
 */
export async function redeemInvitation(
  { query }: Tx,
  invitationId: string,
  tokenHash?: string,
): Promise<(RoleReference & { userId: string; role: string }) | undefined> {
  const [taken] = await query<RoleReference & { userId: string; role: string }>(
    `DELETE FROM invitations i
     WHERE invitation_id = $1 AND expires_at > now() AND ($2::text IS NULL OR token_hash = $2)
     RETURNING user_id, built_in_role, role_id,
       coalesce(built_in_role, (SELECT r.name FROM roles r WHERE r.role_id = i.role_id)) AS role`,
    [invitationId, tokenHash ?? null],
  )
  return taken
}

/** A new invitation. */
export interface NewInvitation {
  workspaceId: string
  userId: string
  role: RoleReference
  /** SHA-256 of the token in the mail, hexadecimal. */
  tokenHash: string
  invitedBy: string
  expiresAt: Date
}

/** Inserts or renews an invitation. A renewal invalidates the earlier token. @returns the invitation id */
export async function upsertInvitation({ query }: Tx, invitation: NewInvitation): Promise<string> {
  const { workspaceId, userId, role, tokenHash, invitedBy, expiresAt } = invitation
  const [row] = await query<{ invitationId: string }>(
    `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, role_id, token_hash, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET built_in_role = excluded.built_in_role, role_id = excluded.role_id,
       token_hash = excluded.token_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at,
       updated_at = clock_timestamp()
     RETURNING invitation_id`,
    [...[newId('inv'), workspaceId, userId, role.builtInRole, role.roleId], ...[tokenHash, invitedBy, expiresAt]],
  )
  if (row === undefined) throw new Error('upsert returned no row')
  return row.invitationId
}

/** Changes the role of an invitation. @param userId as in `WorkspaceUserRow` */
export async function updateInvitationRole(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { builtInRole, roleId }: RoleReference,
): Promise<void> {
  await query(
    `UPDATE invitations SET built_in_role = $3, role_id = $4, updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND invitation_id = 'inv_' || substr($2, 5)`,
    [workspaceId, userId, builtInRole, roleId],
  )
}

/** Deletes an invitation. @param userId as in `WorkspaceUserRow` */
export async function deleteInvitation({ query }: Tx, workspaceId: string, userId: string): Promise<void> {
  await query(`DELETE FROM invitations WHERE workspace_id = $1 AND invitation_id = 'inv_' || substr($2, 5)`, [
    ...[workspaceId, userId],
  ])
}
