import type { Query } from '@wp/database'
import type { RoleGrant } from './roles.ts'

/** A member of a workspace with their profile and role; locale and time zone are those of the workspace by default. */
export interface RecipientRow extends Pick<RoleGrant, 'builtInRole' | 'scopes'> {
  userId: string
  email: string
  name: string | null
  locale: string | null
  timezone: string | null
}

/** Lists active members by user id; up to `limit + 1` rows, to detect a next page. */
export const listRecipients = (
  query: Query,
  workspaceId: string,
  { limit, after, userId }: { limit: number; after: string | undefined; userId: string | undefined },
): Promise<RecipientRow[]> =>
  query<RecipientRow>(
    `SELECT u.user_id, u.email, u.name, coalesce(u.locale, w.locale) AS locale,
       coalesce(u.timezone, w.timezone) AS timezone, m.built_in_role, r.scopes
     FROM memberships m JOIN users u ON u.user_id = m.user_id AND u.disabled_at IS NULL
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.workspace_id = $1 AND m.user_id > $3 AND ($4::text IS NULL OR m.user_id = $4)
     ORDER BY m.user_id LIMIT $2`,
    [workspaceId, limit + 1, after ?? '', userId ?? null],
  )
