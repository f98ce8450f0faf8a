import type { Database } from '@wp/database'
import type { Tx } from './transaction.ts'

/** Which role somebody has or is to have: one of every workspace, or one of its own. */
export interface RoleKey {
  built_in_role: string | null
  role_id: string | null
}

/** An invitation, as far as accepting it needs. */
export interface PendingInvitation {
  invitation_id: string
  workspace_id: string
}

/**
 * The invitations that wait for somebody who is a member nowhere; none for a member. They lie across workspaces, which
 * the policies `own` let a transaction see that says for whom it acts.
 */
export async function listPendingOf({ query }: Tx, userId: string): Promise<PendingInvitation[]> {
  await query(`SELECT set_config('app.user_id', $1, true)`, [userId])
  const pending = await query<PendingInvitation>(
    `SELECT invitation_id, workspace_id FROM invitations
     WHERE user_id = $1 AND expires_at > now() AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1)
     ORDER BY workspace_id`,
    [userId],
  )
  await query(`SELECT set_config('app.user_id', '', true)`)
  return pending
}

/** The invitation that a mail's token opens, whichever workspace's it is. @param hash SHA-256, hexadecimal */
export async function findInvitationByToken(
  pool: Database['worker'],
  hash: string,
): Promise<(PendingInvitation & { workspace_name: string; role: string }) | undefined> {
  const { rows } = await pool.query<PendingInvitation & { workspace_name: string; role: string }>(
    `SELECT i.invitation_id, i.workspace_id, w.name AS workspace_name, coalesce(i.built_in_role, r.name) AS role
     FROM invitations i
     JOIN workspaces w ON w.workspace_id = i.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = i.role_id
     WHERE i.token_hash = $1 AND i.expires_at > now()`,
    [hash],
  )
  return rows[0]
}

/**
 * Takes an invitation of the workspace that was entered out of its table; undefined when somebody was before us, or it
 * has ended since.
 * @param tokenHash what the mail's token must still be, where one was shown
 */
export async function takeInvitation(
  { query }: Tx,
  invitationId: string,
  tokenHash?: string,
): Promise<(RoleKey & { user_id: string; role: string }) | undefined> {
  const [taken] = await query<RoleKey & { user_id: string; role: string }>(
    `DELETE FROM invitations i
     WHERE invitation_id = $1 AND expires_at > now() AND ($2::text IS NULL OR token_hash = $2)
     RETURNING user_id, built_in_role, role_id,
       coalesce(built_in_role, (SELECT r.name FROM roles r WHERE r.role_id = i.role_id)) AS role`,
    [invitationId, tokenHash ?? null],
  )
  return taken
}
