import type { Database, Query, Row } from '@wp/database'
import type { AuditExport } from '#db'

/** Identifies an export. */
export type ExportKey = Row<AuditExport, 'workspaceId' | 'id'>

/** The stored content of an export. `expiresAt` is null until its job ends. */
export type ExportContent = Row<AuditExport, 'bytes' | 'expiresAt'>

/** Creates the empty content of an export. */
export async function insertContent(query: Query, { workspaceId, id }: ExportKey): Promise<void> {
  await query('INSERT INTO audit_exports (workspace_id, id) VALUES ($1, $2)', [workspaceId, id])
}

/** Returns the content of an export without its parts; undefined if it was deleted or the job has not begun. */
export async function findContent(query: Query, { workspaceId, id }: ExportKey): Promise<ExportContent | undefined> {
  const [row] = await query<ExportContent>(
    'SELECT bytes, expires_at FROM audit_exports WHERE workspace_id = $1 AND id = $2',
    [workspaceId, id],
  )
  return row
}

/** Appends parts to the content. @returns false if the content was deleted; nothing is written then */
export async function appendParts(
  query: Query,
  { workspaceId, id }: ExportKey,
  { position, parts }: { position: number; parts: readonly Buffer[] },
): Promise<boolean> {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const updated = await query(
    'UPDATE audit_exports SET bytes = bytes + $3 WHERE workspace_id = $1 AND id = $2 RETURNING 1',
    [workspaceId, id, bytes],
  )
  if (updated.length === 0) return false
  for (const [index, part] of parts.entries())
    await query('INSERT INTO audit_export_parts (workspace_id, export_id, position, content) VALUES ($1, $2, $3, $4)', [
      workspaceId,
      id,
      position + index,
      part,
    ])
  return true
}

/** Returns a part by its position, from 0; undefined if there is none. */
export async function readPart(
  query: Query,
  { workspaceId, id }: ExportKey,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await query<{ content: Buffer }>(
    'SELECT content FROM audit_export_parts WHERE workspace_id = $1 AND export_id = $2 AND position = $3',
    [workspaceId, id, position],
  )
  return row?.content
}

/** Sets the time from which the content may be deleted. Without content, nothing is changed. */
export async function setExpiry(query: Query, { workspaceId, id }: ExportKey, expiresAt: Date): Promise<void> {
  await query('UPDATE audit_exports SET expires_at = $3 WHERE workspace_id = $1 AND id = $2', [
    workspaceId,
    id,
    expiresAt,
  ])
}

/** Deletes parts of contents that expired before a time, at most `limit`. @returns the number deleted */
export async function removeExpiredParts(pool: Database['worker'], before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM audit_export_parts AS part
     USING (SELECT p.workspace_id, p.export_id, p.position
            FROM audit_exports e JOIN audit_export_parts p ON p.workspace_id = e.workspace_id AND p.export_id = e.id
            WHERE e.expires_at < $1 ORDER BY e.expires_at, p.position LIMIT $2) AS expired
     WHERE part.workspace_id = expired.workspace_id AND part.export_id = expired.export_id
       AND part.position = expired.position`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** Deletes contents without parts that expired before a time, at most `limit`. @returns the number deleted */
export async function removeExpiredContents(pool: Database['worker'], before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM audit_exports WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM audit_exports e
       WHERE expires_at < $1
         AND NOT EXISTS (SELECT FROM audit_export_parts p WHERE p.workspace_id = e.workspace_id AND p.export_id = e.id)
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, limit],
  )
  return rowCount ?? 0
}
