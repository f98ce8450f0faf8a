import { type Page, Problem } from '@wp/contracts'
import { decodeCursor, paginate, type Query, type Row } from '@wp/database'
import type { VariableVersion } from '#db'

/** A change of a variable. */
export interface VariableVersionRow
  extends Row<VariableVersion, 'version' | 'value' | 'secret' | 'changedBy' | 'changedAt'> {
  action: 'set' | 'deleted'
}

/** Kept versions of one variable, and of all variables of a workspace, with those deleted. */
export const maxVersions = { perVariable: 100, perWorkspace: 5_000 }

/**
 * Adds the version of a change, in the transaction that holds the lock of the variable's row, and deletes versions
 * beyond the limits, the oldest first.
 */
export async function addVersion(
  query: Query,
  workspaceId: string,
  { name, action, value, secret, changedBy }: { name: string } & Omit<VariableVersionRow, 'version' | 'changedAt'>,
): Promise<void> {
  await query(
    `INSERT INTO workspace_variable_versions (workspace_id, name, version, action, value, secret, changed_by, changed_at)
     SELECT $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, clock_timestamp()
     FROM workspace_variable_versions WHERE workspace_id = $1 AND name = $2`,
    [workspaceId, name, action, value, secret, changedBy],
  )
  await query(
    `DELETE FROM workspace_variable_versions WHERE workspace_id = $1 AND name = $2 AND version <=
       (SELECT max(version) - $3 FROM workspace_variable_versions WHERE workspace_id = $1 AND name = $2)`,
    [workspaceId, name, maxVersions.perVariable],
  )
  await query(
    `DELETE FROM workspace_variable_versions WHERE workspace_id = $1 AND (changed_at, name, version) <=
       (SELECT changed_at, name, version FROM workspace_variable_versions WHERE workspace_id = $1
        ORDER BY changed_at DESC, name DESC, version DESC OFFSET $2 LIMIT 1)`,
    [workspaceId, maxVersions.perWorkspace],
  )
}

/** Returns a page of the versions of a variable, newest first. @throws Problem `invalid_cursor` */
export async function listVersions(
  query: Query,
  workspaceId: string,
  name: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<VariableVersionRow>> {
  const below = cursor === undefined ? null : Number(decodeCursor(cursor).id)
  if (below !== null && !(below >= 1 && below <= 2 ** 31 - 1))
    throw new Problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  const rows = await query<VariableVersionRow>(
    `SELECT version, action, value, secret, changed_by, changed_at
     FROM workspace_variable_versions WHERE workspace_id = $1 AND name = $2 AND ($3::integer IS NULL OR version < $3)
     ORDER BY version DESC LIMIT $4`,
    [workspaceId, name, below, limit + 1],
  )
  return paginate(rows, limit, ({ changedAt, version }) => ({ createdAt: changedAt, id: String(version) }))
}

/** Returns true if the workspace has or had the variable. */
export async function hasVersions(query: Query, workspaceId: string, name: string): Promise<boolean> {
  const rows = await query('SELECT FROM workspace_variable_versions WHERE workspace_id = $1 AND name = $2 LIMIT 1', [
    workspaceId,
    name,
  ])
  return rows.length > 0
}
