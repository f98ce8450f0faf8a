import { type Cursor, type Database, decodeCursor } from '@wp/database'
import { withUserContext } from '../set-user-context.ts'
import type { Tx } from '../transaction.ts'
import { workerQuery } from '../worker-query.ts'
import type { PendingInvitation } from './invitations.ts'

/** A pending invitation, as the invited user sees it. */
export type OwnInvitationRow = PendingInvitation & {
  workspaceName: string
  role: string
  createdAt: Date
  expiresAt: Date
}

/** Lists the pending invitations of a user, newest first. The worker role reads them because they span workspaces. */
export async function listInvitationsOfUser(
  pool: Database['worker'],
  userId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<OwnInvitationRow[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return await workerQuery(pool)<OwnInvitationRow>(
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
}

/** Returns the sort key of an invitation. */
export const cursorOfInvitation = (row: OwnInvitationRow): Cursor => ({
  createdAt: row.createdAt,
  id: row.invitationId,
})

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
