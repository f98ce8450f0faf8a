import { type Page, problem } from '@wp/contracts'
import { decodeCursor, paginateBy, type Query, type Row } from '@wp/database'
import type { SsoDomain } from '#db'
import type { Tx } from '../client.ts'

/** A domain of a workspace. */
export type SsoDomainRow = Row<SsoDomain, 'domain' | 'token' | 'verifiedAt' | 'createdAt'>

const columns = 'domain, token, verified_at, created_at'

/** Lists domains of the workspace, newest first. */
export async function listSsoDomainRows(
  query: Query,
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SsoDomainRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<SsoDomainRow>(
    `SELECT ${columns} FROM sso_domains WHERE workspace_id = $1
     ${after === undefined ? '' : 'AND (created_at, domain) < ($3, $4)'} ORDER BY created_at DESC, domain DESC LIMIT $2`,
    [workspaceId, limit + 1, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'domain')
}

/** Returns a domain of the workspace. @throws Problem `not_found` */
export async function requireSsoDomain(query: Query, workspaceId: string, domain: string): Promise<SsoDomainRow> {
  const [row] = await query<SsoDomainRow>(
    `SELECT ${columns} FROM sso_domains WHERE workspace_id = $1 AND domain = $2`,
    [workspaceId, domain],
  )
  if (row === undefined) throw problem('not_found')
  return row
}

/** Inserts a domain; one that the workspace has stays as it is. */
export const insertSsoDomain = ({ query }: Tx, workspaceId: string, domain: string, token: string): Promise<unknown> =>
  query('INSERT INTO sso_domains (workspace_id, domain, token) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    ...[workspaceId, domain, token],
  ])

/**
 * Marks a domain as verified: deletes the row and inserts it again, because only an insertion can ignore a conflict
 * with the domain of another workspace, which row-level security hides.
 * @returns false if another workspace has it verified; the transaction must then be rolled back
 */
export async function markSsoDomainVerified(
  { query }: Tx,
  workspaceId: string,
  { domain, token, createdAt }: SsoDomainRow,
): Promise<boolean> {
  await query('DELETE FROM sso_domains WHERE workspace_id = $1 AND domain = $2', [workspaceId, domain])
  const rows = await query(
    `INSERT INTO sso_domains (workspace_id, domain, token, created_at, verified_at)
     VALUES ($1, $2, $3, $4, clock_timestamp()) ON CONFLICT DO NOTHING RETURNING 1`,
    [workspaceId, domain, token, createdAt],
  )
  return rows.length === 1
}

/** Deletes a domain. @returns false if the workspace does not have it */
export async function deleteSsoDomainRow({ query }: Tx, workspaceId: string, domain: string): Promise<boolean> {
  const rows = await query('DELETE FROM sso_domains WHERE workspace_id = $1 AND domain = $2 RETURNING 1', [
    ...[workspaceId, domain],
  ])
  return rows.length === 1
}

export async function listVerifiedDomains(query: Query, workspaceId: string): Promise<string[]> {
  const rows = await query<Row<SsoDomain, 'domain'>>(
    'SELECT domain FROM sso_domains WHERE workspace_id = $1 AND verified_at IS NOT NULL',
    [workspaceId],
  )
  return rows.map(({ domain }) => domain)
}

/** Returns how many domains a workspace has. */
export async function countSsoDomains(query: Query, workspaceId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM sso_domains WHERE workspace_id = $1',
    [workspaceId],
  )
  return row?.count ?? 0
}
