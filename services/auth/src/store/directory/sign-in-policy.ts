import type { Query, Row } from '@wp/database'
import type { GroupRole, SignInPolicy } from '#db'
import type { Tx } from '../client.ts'
import type { RoleReference } from '../workspaces/invitations.ts'

interface NamedRole extends RoleReference {
  /** Name of the role. */
  role: string
}

/** The roles by which users of a directory become members of a workspace. */
export interface SignInPolicyRow {
  defaultRole: NamedRole
  groupRoles: (NamedRole & Row<GroupRole, 'groupName'>)[]
  /** Null while the policy has its defaults. */
  updatedAt: Date | null
}

const defaultRole: NamedRole = { builtInRole: 'member', roleId: null, role: 'member' }

export async function readSignInPolicy(query: Query, workspaceId: string): Promise<SignInPolicyRow> {
  const [policy] = await query<NamedRole & Row<SignInPolicy, 'updatedAt'>>(
    `SELECT p.default_built_in_role AS built_in_role, p.default_role_id AS role_id,
       coalesce(p.default_built_in_role, r.name) AS role, p.updated_at
     FROM sign_in_policies p LEFT JOIN roles r ON r.role_id = p.default_role_id WHERE p.workspace_id = $1`,
    [workspaceId],
  )
  const groupRoles = await query<SignInPolicyRow['groupRoles'][number]>(
    `SELECT g.group_name, g.built_in_role, g.role_id, coalesce(g.built_in_role, r.name) AS role
     FROM group_roles g LEFT JOIN roles r ON r.role_id = g.role_id WHERE g.workspace_id = $1 ORDER BY g.position`,
    [workspaceId],
  )
  if (policy === undefined) return { defaultRole, groupRoles, updatedAt: null }
  const { updatedAt, ...role } = policy
  return { defaultRole: role, groupRoles, updatedAt }
}

/** Stores the default role of a workspace. */
export const upsertDefaultRole = (
  { query }: Tx,
  workspaceId: string,
  { builtInRole, roleId }: RoleReference,
): Promise<unknown> =>
  query(
    `INSERT INTO sign_in_policies (workspace_id, default_built_in_role, default_role_id) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET default_built_in_role = excluded.default_built_in_role,
       default_role_id = excluded.default_role_id, updated_at = clock_timestamp()`,
    [workspaceId, builtInRole, roleId],
  )

/** Replaces the roles of groups of a workspace. */
export async function replaceGroupRoles(
  { query }: Tx,
  workspaceId: string,
  groupRoles: readonly (RoleReference & Row<GroupRole, 'groupName'>)[],
): Promise<void> {
  await query('DELETE FROM group_roles WHERE workspace_id = $1', [workspaceId])
  await query(
    `INSERT INTO group_roles (workspace_id, position, group_name, built_in_role, role_id)
     SELECT $1, position, group_name, built_in_role, role_id
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS g (group_name, built_in_role, role_id, position)`,
    [
      workspaceId,
      groupRoles.map(({ groupName }) => groupName),
      groupRoles.map(({ builtInRole }) => builtInRole),
      groupRoles.map(({ roleId }) => roleId),
    ],
  )
}

/**
 * Gives members from the directory the roles of their groups, or the default role. Owners keep theirs, and without a
 * mapping everyone does.
 * @param scimUserIds the users; undefined for all of the directory
 * @returns the ids of the users whose role changed
 */
export async function applyGroupRoles(
  { query }: Tx,
  workspaceId: string,
  scimUserIds: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await query<{ userId: string }>(
    `WITH wanted AS (
       SELECT u.user_id, coalesce(mapped.built_in_role, CASE WHEN mapped.role_id IS NULL THEN $3 END) AS built_in_role,
         coalesce(mapped.role_id, CASE WHEN mapped.built_in_role IS NULL THEN $4 END) AS role_id
       FROM scim_users u LEFT JOIN LATERAL (
         SELECT r.built_in_role, r.role_id FROM scim_group_members gm JOIN scim_groups g USING (scim_group_id)
         JOIN group_roles r ON r.workspace_id = g.workspace_id AND lower(r.group_name) = lower(g.display_name)
         WHERE gm.workspace_id = $1 AND gm.scim_user_id = u.scim_user_id ORDER BY r.position LIMIT 1) mapped ON true
       WHERE u.workspace_id = $1 AND ($2::text[] IS NULL OR u.scim_user_id = ANY ($2)))
     UPDATE memberships m SET built_in_role = w.built_in_role, role_id = w.role_id, updated_at = clock_timestamp()
     FROM wanted w WHERE m.workspace_id = $1 AND m.user_id = w.user_id
       AND m.built_in_role IS DISTINCT FROM 'owner'
       AND (m.built_in_role, m.role_id) IS DISTINCT FROM (w.built_in_role, w.role_id)
       AND EXISTS (SELECT FROM group_roles WHERE workspace_id = $1)
     RETURNING m.user_id`,
    [workspaceId, scimUserIds ?? null, ...(await defaultRoleOf(query, workspaceId))],
  )
  return rows.map(({ userId }) => userId)
}

async function defaultRoleOf(query: Query, workspaceId: string): Promise<[string | null, string | null]> {
  const { defaultRole: role } = await readSignInPolicy(query, workspaceId)
  return [role.builtInRole, role.roleId]
}
