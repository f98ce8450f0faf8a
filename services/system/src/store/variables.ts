import type { Page } from '@wp/contracts'
import { afterCursor, contains, countRows, paginate, type Query, type Row, type ScopedClient } from '@wp/database'
import type { Variable } from '#db'
import type { Client } from './client.ts'

type Db = ScopedClient<Client>

export const variableQuota = countRows('variables', 'workspace_variables')

/** A stored variable: with a plain value, or with a sealed one if it is secret. */
export type VariableRow = Row<Variable, 'name' | 'value' | 'sealed' | 'secret' | 'createdAt' | 'updatedAt'>

interface VariableFilter {
  limit: number
  cursor?: string | undefined
  name?: string | undefined
  /** Contained in the name. */
  search?: string | undefined
  secret?: boolean | undefined
}

/** Returns a page of the variables of a workspace, newest first. */
export async function listVariableRows(
  db: Db,
  workspaceId: string,
  { limit, cursor, name, search, secret }: VariableFilter,
): Promise<Page<VariableRow>> {
  const rows = await db.variable.findMany({
    where: {
      workspaceId,
      ...(name === undefined ? {} : { name }),
      ...(search === undefined ? {} : { AND: { name: contains(search) } }),
      ...(secret === undefined ? {} : { secret }),
      ...afterCursor(cursor, 'name'),
    },
    orderBy: [{ createdAt: 'desc' }, { name: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, ({ createdAt, name: id }) => ({ createdAt, id }))
}

export const findVariable = (db: Db, workspaceId: string, name: string): Promise<VariableRow | null> =>
  db.variable.findFirst({ where: { workspaceId, name } })

/**
 * Creates or replaces a variable in one statement, so that only one of two concurrent requests creates it.
 * @param secret undefined leaves a variable as it is: a secret one does not become readable
 */
export async function upsertVariable(
  query: Query,
  workspaceId: string,
  { name, value, sealed, secret }: { name: string; value: string; sealed: string; secret?: boolean | undefined },
): Promise<{ row: VariableRow; created: boolean }> {
  const [row] = await query<VariableRow & { created: boolean }>(
    `INSERT INTO workspace_variables (workspace_id, name, value, sealed, secret)
     VALUES ($1, $2, CASE WHEN $5 THEN NULL ELSE $3 END, CASE WHEN $5 THEN $4 END, coalesce($5, false))
     ON CONFLICT (workspace_id, name) DO UPDATE
       SET value = CASE WHEN coalesce($5, workspace_variables.secret) THEN NULL ELSE $3 END,
         sealed = CASE WHEN coalesce($5, workspace_variables.secret) THEN $4 END,
         secret = coalesce($5, workspace_variables.secret), updated_at = now()
     RETURNING name, value, sealed, secret, created_at, updated_at, xmax = 0 AS created`,
    [workspaceId, name, value, sealed, secret ?? null],
  )
  if (row === undefined) throw new Error('the upsert returned no row')
  return { row, created: row.created }
}

/** Deletes a variable. @returns what it was; undefined if it did not exist */
export async function deleteVariableRow(
  query: Query,
  workspaceId: string,
  name: string,
): Promise<Row<Variable, 'secret'> | undefined> {
  const [deleted] = await query<Row<Variable, 'secret'>>(
    'DELETE FROM workspace_variables WHERE workspace_id = $1 AND name = $2 RETURNING secret',
    [workspaceId, name],
  )
  return deleted
}
