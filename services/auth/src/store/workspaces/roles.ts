import { problem, type Scope } from '@wp/contracts'
import { type Cursor, decodeCursor, newId, type Query, type Row } from '@wp/database'
import type { Membership, Role } from '#db'
import type { Tx } from '../client.ts'

/** A role with its scopes. Exactly one of `builtInRole` and `roleId` is set. */
export interface RoleGrant extends Row<Membership, 'builtInRole' | 'roleId'> {
  /** Null for a built-in role. */
  scopes: string[] | null
}

/** A custom role. */
export interface RoleRow extends Row<Role, 'roleId' | 'name' | 'description' | 'createdAt' | 'updatedAt'> {
  scopes: Scope[]
}

const columns = 'role_id, name, description, scopes, created_at, updated_at'

/** Finds a custom role by identifier or by case-insensitive name. */
export async function findCustomRoleByNameOrId(
  { query }: Tx,
  workspaceId: string,
  nameOrId: string,
): Promise<(RoleGrant & { name: string }) | undefined> {
  const [row] = await query<RoleGrant & { name: string }>(
    `SELECT NULL AS built_in_role, role_id, scopes, name FROM roles
     WHERE workspace_id = $1 AND (role_id = $2 OR lower(name) = lower($2)) ORDER BY role_id = $2 DESC LIMIT 1`,
    [workspaceId, nameOrId],
  )
  return row
}

/** Returns a custom role. @throws Problem `not_found` */
export async function requireRole(query: Query, workspaceId: string, roleId: string): Promise<RoleRow> {
  const [row] = await query<RoleRow>(`SELECT ${columns} FROM roles WHERE workspace_id = $1 AND role_id = $2`, [
    workspaceId,
    roleId,
  ])
  if (row === undefined) throw problem('not_found')
  return row
}

/** Lists up to `limit` custom roles of the workspace, newest first. */
export async function listRoleRows(
  query: Query,
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<RoleRow[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return await query<RoleRow>(
    `SELECT ${columns} FROM roles WHERE workspace_id = $1
     ${after === undefined ? '' : 'AND (created_at, role_id) < ($3, $4)'}
     ORDER BY created_at DESC, role_id DESC LIMIT $2`,
    [workspaceId, limit, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
}

/** Lists the names of the custom roles of the workspace. @param exceptId a role whose name is left out */
export async function listRoleNames(query: Query, workspaceId: string, exceptId?: string): Promise<string[]> {
  const rows = await query<Row<Role, 'name'>>(
    'SELECT name FROM roles WHERE workspace_id = $1 AND role_id IS DISTINCT FROM $2',
    [workspaceId, exceptId ?? null],
  )
  return rows.map(({ name }) => name)
}

/** Returns the sort key of a custom role. */
export const cursorOfRole = ({ createdAt, roleId }: RoleRow): Cursor => ({ createdAt, id: roleId })

/** The editable fields of a role. */
interface RoleFields extends Row<Role, 'name' | 'description'> {
  scopes: readonly Scope[]
}

/** Inserts a role. @throws Problem `name_taken` */
export async function insertRole({ query }: Tx, workspaceId: string, fields: RoleFields): Promise<RoleRow> {
  const { name, description, scopes } = fields
  const [row] = await query<RoleRow>(
    `INSERT INTO roles (role_id, workspace_id, name, description, scopes) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, lower(name)) DO NOTHING RETURNING ${columns}`,
    [newId('role'), workspaceId, name, description, scopes],
  )
  if (row === undefined) throw nameTakenProblem()
  return row
}

/** Updates a role. Requires the lock of `lockMemberships`. @throws Problem `name_taken` */
export async function updateRoleRow(
  { query }: Tx,
  workspaceId: string,
  roleId: string,
  fields: RoleFields,
): Promise<RoleRow> {
  const { name, description, scopes } = fields
  const [row] = await query<RoleRow>(
    `UPDATE roles SET name = $3, description = $4, scopes = $5, updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND role_id = $2 AND NOT EXISTS (
       SELECT FROM roles other WHERE other.workspace_id = $1 AND other.role_id <> $2 AND lower(other.name) = lower($3))
     RETURNING ${columns}`,
    [workspaceId, roleId, name, description, scopes],
  )
  if (row === undefined) throw nameTakenProblem()
  return row
}

/** Deletes a role without members, invitations and groups. @returns false if the role is in use */
export async function deleteRoleRow({ query }: Tx, workspaceId: string, roleId: string): Promise<boolean> {
  const rows = await query(
    `DELETE FROM roles r WHERE workspace_id = $1 AND role_id = $2
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.workspace_id = $1 AND m.role_id = r.role_id)
       AND NOT EXISTS (SELECT FROM invitations i WHERE i.workspace_id = $1 AND i.role_id = r.role_id)
       AND NOT EXISTS (SELECT FROM group_roles g WHERE g.workspace_id = $1 AND g.role_id = r.role_id)
       AND NOT EXISTS (SELECT FROM sign_in_policies p WHERE p.workspace_id = $1 AND p.default_role_id = r.role_id)
     RETURNING role_id`,
    [workspaceId, roleId],
  )
  return rows.length === 1
}

/** The error for the name of a built-in or another custom role. */
export const nameTakenProblem = () =>
  problem('name_taken', { detail: 'A role of this workspace has that name, or one that looks the same' })
