import { type Page, problem } from '@wp/contracts'
import { decodeCursor, paginateBy, type Query, type Row } from '@wp/database'
import type { Invitation, Membership, User } from '#db'
import type { RoleGrant } from './roles.ts'

/** A member of a workspace or an invited user. */
export interface WorkspaceUserRow
  extends RoleGrant,
    Row<User, 'email' | 'name'>,
    Row<Membership, 'createdAt' | 'updatedAt'> {
  /**
   * Of an invited user: the id of the invitation with the prefix of users. The account may be older than the
   * invitation, and its id would tell so, whether or not the person ever accepts.
   */
  userId: string
  /** Name of the role. */
  role: string
  status: 'active' | 'invited'
  invitationId: Invitation['invitationId'] | null
  invitationExpiresAt: Date | null
}

/** Members and invited users. The sets are disjoint: accepting an invitation replaces it by a membership. */
const membersAndInvited = `(
    SELECT workspace_id, user_id, user_id AS account_id, 'active' AS status, built_in_role, role_id, NULL AS invitation_id,
      NULL::timestamptz AS invitation_expires_at, 'usr_' || substr(invitation_id, 5) AS invited_id, created_at, updated_at
      FROM memberships
    UNION ALL
    SELECT workspace_id, 'usr_' || substr(invitation_id, 5), user_id, 'invited', built_in_role, role_id, invitation_id,
      expires_at, NULL, created_at, updated_at FROM invitations) p
  JOIN users u ON u.user_id = p.account_id
  LEFT JOIN roles r ON r.role_id = p.role_id`

const columns = `p.user_id, u.email, CASE p.status WHEN 'active' THEN u.name END AS name, p.status, p.built_in_role,
  p.role_id, r.scopes, coalesce(p.built_in_role, r.name) AS role, p.invitation_id, p.invitation_expires_at,
  p.created_at, p.updated_at`

/**
 * Returns a member or an invited user.
 * @param also `invited_id` to find a member too by the id as an invited user, which the audit log has
 * @throws Problem `not_found`
 */
export async function requireWorkspaceUser(
  query: Query,
  workspaceId: string,
  userId: string,
  also?: 'invited_id',
): Promise<WorkspaceUserRow> {
  const row =
    (await findBy(query, 'user_id', workspaceId, userId)) ?? (also && (await findBy(query, also, workspaceId, userId)))
  if (row === undefined) throw problem('not_found')
  return row
}

/** Finds the member or invited user with an account. */
export const findWorkspaceUserOfAccount = (query: Query, workspaceId: string, accountId: string) =>
  findBy(query, 'account_id', workspaceId, accountId)

async function findBy(
  query: Query,
  column: 'user_id' | 'account_id' | 'invited_id',
  workspaceId: string,
  id: string,
): Promise<WorkspaceUserRow | undefined> {
  const [row] = await query<WorkspaceUserRow>(
    `SELECT ${columns} FROM ${membersAndInvited} WHERE p.workspace_id = $1 AND p.${column} = $2`,
    [workspaceId, id],
  )
  return row
}

interface WorkspaceUserFilters {
  limit: number
  cursor?: string | undefined
  /** Name or id of a role. */
  role?: string | undefined
  status?: string | undefined
  email?: string | undefined
  /** Part of address or name. */
  search?: string | undefined
}

/** Lists members and invited users, newest first. */
export async function listWorkspaceUsers(
  query: Query,
  workspaceId: string,
  filters: WorkspaceUserFilters,
): Promise<Page<WorkspaceUserRow>> {
  const { limit, cursor, role, status, email, search } = filters
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<WorkspaceUserRow>(
    `SELECT ${columns} FROM ${membersAndInvited}
     WHERE p.workspace_id = $1
       AND ($3::text IS NULL OR lower(coalesce(p.built_in_role, r.name)) = lower($3) OR p.role_id = $3)
       AND ($4::text IS NULL OR p.status = $4)
       AND ($5::text IS NULL OR u.email = lower($5))
       AND ($6::text IS NULL OR strpos(lower(concat_ws(' ', u.email, u.name)), lower($6)) > 0)
       ${after === undefined ? '' : 'AND (p.created_at, p.user_id) < ($7, $8)'}
     ORDER BY p.created_at DESC, p.user_id DESC LIMIT $2`,
    [
      ...[workspaceId, limit + 1, role ?? null, status ?? null, email ?? null, search ?? null],
      ...(after === undefined ? [] : [after.createdAt, after.id]),
    ],
  )
  return paginateBy(rows, limit, 'userId')
}
