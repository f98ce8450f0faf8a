import { problem } from '@wp/contracts'
import { newId, type Query, type Row } from '@wp/database'
import type { ScimGroup } from '#db'
import type { Tx } from '../client.ts'
import { type FilterColumns, filterCondition, type SqlFilter } from './filter-sql.ts'

/** A group of the directory of a workspace. */
export interface ScimGroupRow
  extends Row<ScimGroup, 'scimGroupId' | 'displayName' | 'externalId' | 'version' | 'createdAt' | 'updatedAt'> {
  /** Null for none; undefined if they were not read. */
  members?: { value: string; display: string }[] | null
}

const columns = 'g.scim_group_id, g.display_name, g.external_id, g.version, g.created_at, g.updated_at'

const memberColumn = `, (SELECT jsonb_agg(jsonb_build_object('value', u.scim_user_id, 'display', u.user_name))
    FROM scim_group_members m JOIN scim_users u USING (scim_user_id)
    WHERE m.workspace_id = g.workspace_id AND m.scim_group_id = g.scim_group_id) AS members`

const filterColumns: FilterColumns = {
  columns: {
    id: { sql: 'g.scim_group_id', type: 'exact' },
    externalid: { sql: 'g.external_id', type: 'exact' },
    displayname: { sql: 'g.display_name', type: 'text' },
    'meta.created': { sql: 'g.created_at', type: 'time' },
    'meta.lastmodified': { sql: 'g.updated_at', type: 'time' },
  },
  elements: {
    members: {
      from: 'scim_group_members m WHERE m.workspace_id = g.workspace_id AND m.scim_group_id = g.scim_group_id',
      columns: { value: { sql: 'm.scim_user_id', type: 'exact' } },
      value: 'value',
    },
  },
}

interface ListOptions {
  filter: SqlFilter | undefined
  /** From 1. */
  startIndex: number
  count: number
  withMembers: boolean
}

/** Lists groups of the directory, oldest first, with the number of all that match. @throws UnsupportedFilter */
export async function listScimGroupRows(
  query: Query,
  workspaceId: string,
  { filter, startIndex, count, withMembers }: ListOptions,
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const values: unknown[] = [workspaceId]
  const condition = filter === undefined ? 'true' : filterCondition(filter, filterColumns, values)
  const from = `FROM scim_groups g WHERE g.workspace_id = $1 AND ${condition}`
  const [counted] = await query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, values)
  const rows = await query<ScimGroupRow>(
    `SELECT ${columns}${withMembers ? memberColumn : ''} ${from} ORDER BY g.created_at, g.scim_group_id
     OFFSET $${values.length + 1} LIMIT $${values.length + 2}`,
    [...values, startIndex - 1, count],
  )
  return { rows, total: counted?.total ?? 0 }
}

/** Returns a group of the directory. @throws Problem `not_found` */
export async function requireScimGroup(
  query: Query,
  workspaceId: string,
  scimGroupId: string,
  { withMembers = true }: { withMembers?: boolean } = {},
): Promise<ScimGroupRow> {
  const [row] = await query<ScimGroupRow>(
    `SELECT ${columns}${withMembers ? memberColumn : ''} FROM scim_groups g
     WHERE g.workspace_id = $1 AND g.scim_group_id = $2`,
    [workspaceId, scimGroupId],
  )
  if (row === undefined) throw problem('not_found')
  return row
}

type GroupFields = Row<ScimGroup, 'displayName' | 'externalId'>

/** Inserts a group of the directory. @returns undefined if the name is taken in the workspace */
export async function insertScimGroup(
  { query }: Tx,
  workspaceId: string,
  { displayName, externalId }: GroupFields,
): Promise<string | undefined> {
  const [row] = await query<Row<ScimGroup, 'scimGroupId'>>(
    `INSERT INTO scim_groups (scim_group_id, workspace_id, display_name, external_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING scim_group_id`,
    [newId('scg'), workspaceId, displayName, externalId],
  )
  return row?.scimGroupId
}

/** Updates a group of the directory. Requires the lock of `lockMemberships`. @returns false if the name is taken */
export async function updateScimGroup(
  { query }: Tx,
  workspaceId: string,
  scimGroupId: string,
  { displayName, externalId }: GroupFields,
): Promise<boolean> {
  const rows = await query(
    `UPDATE scim_groups SET display_name = $3, external_id = $4, version = version + 1, updated_at = clock_timestamp()
     WHERE workspace_id = $1 AND scim_group_id = $2 AND NOT EXISTS (
       SELECT FROM scim_groups o
       WHERE o.workspace_id = $1 AND o.scim_group_id <> $2 AND lower(o.display_name) = lower($3))
     RETURNING 1`,
    [workspaceId, scimGroupId, displayName, externalId],
  )
  return rows.length === 1
}

/** Deletes a group of the directory. */
export const deleteScimGroupRow = ({ query }: Tx, workspaceId: string, scimGroupId: string): Promise<unknown> =>
  query('DELETE FROM scim_groups WHERE workspace_id = $1 AND scim_group_id = $2', [workspaceId, scimGroupId])

/** Members that joined and left a group, as ids of users of the directory. */
export interface MemberChanges {
  added: string[]
  removed: string[]
}

/** Makes users the members of a group. Ids of no user of the workspace are not inserted. */
export async function setGroupMembers(
  { query }: Tx,
  workspaceId: string,
  scimGroupId: string,
  members: readonly string[],
): Promise<MemberChanges> {
  const removed = await query<{ id: string }>(
    `DELETE FROM scim_group_members WHERE workspace_id = $1 AND scim_group_id = $2 AND scim_user_id <> ALL ($3)
     RETURNING scim_user_id AS id`,
    [workspaceId, scimGroupId, members],
  )
  const added = await query<{ id: string }>(
    `INSERT INTO scim_group_members (workspace_id, scim_group_id, scim_user_id)
     SELECT $1, $2, scim_user_id FROM scim_users WHERE workspace_id = $1 AND scim_user_id = ANY ($3)
     ON CONFLICT DO NOTHING RETURNING scim_user_id AS id`,
    [workspaceId, scimGroupId, members],
  )
  return { added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) }
}

/** Returns how many of the ids are users of the directory of the workspace. */
export async function countScimUsers({ query }: Tx, workspaceId: string, ids: readonly string[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM scim_users WHERE workspace_id = $1 AND scim_user_id = ANY ($2)',
    [workspaceId, ids],
  )
  return row?.count ?? 0
}
