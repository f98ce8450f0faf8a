import { problem } from '@wp/contracts'
import { newId, type Query, type Row } from '@wp/database'
import type { ScimUser } from '#db'
import type { Tx } from '../client.ts'
import { type FilterColumns, filterCondition, type SqlFilter } from './filter-sql.ts'

/** A user of the directory of a workspace. */
export interface ScimUserRow
  extends Row<
    ScimUser,
    'scimUserId' | 'userId' | 'userName' | 'externalId' | 'active' | 'version' | 'createdAt' | 'updatedAt'
  > {
  attributes: Record<string, unknown>
  /** The first hundred groups; null for none. */
  groups: { value: string; display: string }[] | null
}

/** The attributes of a user that a directory sets. */
export interface ScimUserFields extends Row<ScimUser, 'userName' | 'externalId' | 'active'> {
  attributes: Record<string, unknown>
}

const columns = `u.scim_user_id, u.user_id, u.user_name, u.external_id, u.active, u.attributes, u.version, u.created_at,
  u.updated_at, (SELECT jsonb_agg(jsonb_build_object('value', g.scim_group_id, 'display', g.display_name)) FROM (
    SELECT g.scim_group_id, g.display_name FROM scim_group_members m JOIN scim_groups g USING (scim_group_id)
    WHERE m.workspace_id = u.workspace_id AND m.scim_user_id = u.scim_user_id LIMIT 100) g) AS groups`

const attribute = (sql: string) => ({ sql, type: 'text' as const })

const filterColumns: FilterColumns = {
  columns: {
    id: { sql: 'u.scim_user_id', type: 'exact' },
    externalid: { sql: 'u.external_id', type: 'exact' },
    username: attribute('u.user_name'),
    active: { sql: 'u.active', type: 'boolean' },
    displayname: attribute(`u.attributes->>'displayName'`),
    title: attribute(`u.attributes->>'title'`),
    'name.formatted': attribute(`u.attributes->'name'->>'formatted'`),
    'name.familyname': attribute(`u.attributes->'name'->>'familyName'`),
    'name.givenname': attribute(`u.attributes->'name'->>'givenName'`),
    'meta.created': { sql: 'u.created_at', type: 'time' },
    'meta.lastmodified': { sql: 'u.updated_at', type: 'time' },
  },
  elements: {
    emails: {
      from: `jsonb_array_elements(coalesce(u.attributes->'emails', '[]')) e WHERE true`,
      columns: {
        value: attribute(`e->>'value'`),
        type: attribute(`e->>'type'`),
        primary: { sql: `(e->>'primary')::boolean`, type: 'boolean' },
      },
      value: 'value',
    },
  },
}

interface ListOptions {
  filter: SqlFilter | undefined
  /** From 1. */
  startIndex: number
  count: number
}

/** Lists users of the directory, oldest first, with the number of all that match. @throws UnsupportedFilter */
export async function listScimUserRows(
  query: Query,
  workspaceId: string,
  { filter, startIndex, count }: ListOptions,
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const values: unknown[] = [workspaceId]
  const condition = filter === undefined ? 'true' : filterCondition(filter, filterColumns, values)
  const from = `FROM scim_users u WHERE u.workspace_id = $1 AND ${condition}`
  const [counted] = await query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, values)
  const rows = await query<ScimUserRow>(
    `SELECT ${columns} ${from} ORDER BY u.created_at, u.scim_user_id
     OFFSET $${values.length + 1} LIMIT $${values.length + 2}`,
    [...values, startIndex - 1, count],
  )
  return { rows, total: counted?.total ?? 0 }
}

/** Returns a user of the directory. @throws Problem `not_found` */
export async function requireScimUser(query: Query, workspaceId: string, scimUserId: string): Promise<ScimUserRow> {
  const [row] = await query<ScimUserRow>(
    `SELECT ${columns} FROM scim_users u WHERE u.workspace_id = $1 AND u.scim_user_id = $2`,
    [workspaceId, scimUserId],
  )
  if (row === undefined) throw problem('not_found')
  return row
}

/** Inserts a user of the directory. @returns undefined if the name or the account is taken in the workspace */
export async function insertScimUser(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { userName, externalId, active, attributes }: ScimUserFields,
): Promise<string | undefined> {
  const [row] = await query<Row<ScimUser, 'scimUserId'>>(
    `INSERT INTO scim_users (scim_user_id, workspace_id, user_id, user_name, external_id, active, attributes)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING scim_user_id`,
    [newId('scu'), workspaceId, userId, userName, externalId, active, JSON.stringify(attributes)],
  )
  return row?.scimUserId
}

/** Updates a user of the directory. Requires the lock of `lockMemberships`. @returns false if the name is taken */
export async function updateScimUser(
  { query }: Tx,
  workspaceId: string,
  scimUserId: string,
  { userName, externalId, active, attributes }: ScimUserFields,
): Promise<boolean> {
  const rows = await query(
    `UPDATE scim_users SET user_name = $3, external_id = $4, active = $5, attributes = $6, version = version + 1,
       updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND scim_user_id = $2 AND NOT EXISTS (
       SELECT FROM scim_users o WHERE o.workspace_id = $1 AND o.scim_user_id <> $2 AND lower(o.user_name) = lower($3))
     RETURNING 1`,
    [workspaceId, scimUserId, userName, externalId, active, JSON.stringify(attributes)],
  )
  return rows.length === 1
}

/** Deletes a user of the directory, also from its groups. */
export const deleteScimUserRow = ({ query }: Tx, workspaceId: string, scimUserId: string): Promise<unknown> =>
  query('DELETE FROM scim_users WHERE workspace_id = $1 AND scim_user_id = $2', [workspaceId, scimUserId])

/** Finds the user of the directory with an account. */
export async function findScimUserOfAccount(
  query: Query,
  workspaceId: string,
  userId: string,
): Promise<Row<ScimUser, 'active'> | undefined> {
  const [row] = await query<Row<ScimUser, 'active'>>(
    'SELECT active FROM scim_users WHERE workspace_id = $1 AND user_id = $2',
    [workspaceId, userId],
  )
  return row
}
