import type { Page } from '@wp/contracts'
import { type Database, decodeCursor, newId, paginateBy, type Row } from '@wp/database'
import type { Invitation, User, Workspace } from '#db'
import type { Tx } from '../client.ts'
import { withUserContext, workerQuery } from '../cross-workspace.ts'

/** Reference to a built-in or custom role. */
export type RoleReference = Row<Invitation, 'builtInRole' | 'roleId'>

/** Key of an invitation. */
export type PendingInvitation = Row<Invitation, 'invitationId' | 'workspaceId'>

/** An invitation with the invited user, the workspace and the role. */
interface InvitationDetails extends PendingInvitation, Row<User, 'userId' | 'email'>, Row<Workspace, 'shard'> {
  workspaceName: string
  role: string
  /** Name and address of the user who invited; null if it was a program, or the user is gone. */
  inviter: string | null
}

/** Finds a valid invitation by the hash of its token, in any workspace. @param hash SHA-256, hexadecimal */
export async function findInvitationByToken(
  pool: Database['worker'],
  hash: string,
): Promise<InvitationDetails | undefined> {
  const [row] = await workerQuery(pool)<InvitationDetails>(
    `SELECT i.invitation_id, i.workspace_id, w.shard, i.user_id, u.email, w.name AS workspace_name,
       coalesce(i.built_in_role, r.name) AS role, coalesce(b.name || ' (' || b.email || ')', b.email) AS inviter
     FROM invitations i
     JOIN users u ON u.user_id = i.user_id
     LEFT JOIN users b ON b.user_id = i.invited_by
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

interface NewInvitation extends Row<Invitation, 'workspaceId' | 'userId' | 'tokenHash' | 'invitedBy' | 'expiresAt'> {
  role: RoleReference
}

/** Inserts or renews an invitation. A renewal invalidates the earlier token. @returns the invitation id */
export async function upsertInvitation({ query }: Tx, invitation: NewInvitation): Promise<string> {
  const { workspaceId, userId, role, tokenHash, invitedBy, expiresAt } = invitation
  const [row] = await query<Row<Invitation, 'invitationId'>>(
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

/** A pending invitation, as the invited user sees it. */
export interface OwnInvitationRow extends PendingInvitation, Row<Invitation, 'createdAt' | 'expiresAt'> {
  workspaceName: string
  role: string
}

/** Lists the pending invitations of a user, newest first. The worker role reads them because they span workspaces. */
export async function listInvitationsOfUser(
  pool: Database['worker'],
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<OwnInvitationRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await workerQuery(pool)<OwnInvitationRow>(
    `SELECT i.invitation_id, i.workspace_id, w.name AS workspace_name, coalesce(i.built_in_role, r.name) AS role,
       i.created_at, i.expires_at
     FROM invitations i
     JOIN workspaces w ON w.workspace_id = i.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = i.role_id
     WHERE i.user_id = $1 AND i.expires_at > now()
       ${after === undefined ? '' : 'AND (i.created_at, i.invitation_id) < ($3, $4)'}
     ORDER BY i.created_at DESC, i.invitation_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'invitationId')
}

/** Finds a pending invitation of a user by id, in any workspace. */
export async function findInvitationOfUser(
  { query }: Tx,
  userId: string,
  invitationId: string,
): Promise<PendingInvitation | undefined> {
  const [row] = await withUserContext(query, userId, () =>
    query<PendingInvitation>(
      `SELECT invitation_id, workspace_id FROM invitations
       WHERE user_id = $1 AND invitation_id = $2 AND expires_at > now()`,
      [userId, invitationId],
    ),
  )
  return row
}
