import type { Query, Row } from '@wp/database'
import { readJobResults } from '@wp/jobs'
import type { AuditExport, AuditRecord } from '#db'

/** The actor of a workspace whose personal data are erased. */
export type ErasedActor = Row<AuditRecord, 'workspaceId' | 'actorId'>

/** The position of a record in the list of its actor. */
export type RecordCursor = Row<AuditRecord, 'occurredAt' | 'id'>

/**
 * Deletes the personal data of the actor's records, newest first: of at most `limit` records after `after`.
 * @returns the position of the last record; undefined if there was none
 */
export async function erasePersonalData(
  query: Query,
  { workspaceId, actorId }: ErasedActor,
  { after, limit }: { after: RecordCursor | undefined; limit: number },
): Promise<{ last: RecordCursor | undefined; erased: number }> {
  const [row] = await query<RecordCursor & { erased: number }>(
    `WITH record AS (
       SELECT id, occurred_at FROM audit_records
       WHERE workspace_id = $1 AND actor_id = $2 AND (occurred_at, id) < ($3, $4)
       ORDER BY occurred_at DESC, id DESC LIMIT $5
     ), erased AS (
       DELETE FROM audit_personal_data p USING record WHERE p.workspace_id = $1 AND p.id = record.id RETURNING p.id
     ), last AS (
       SELECT id, occurred_at FROM record ORDER BY occurred_at, id LIMIT 1
     )
     SELECT last.occurred_at, last.id, (SELECT count(*) FROM erased) AS erased FROM last`,
    [workspaceId, actorId, after?.occurredAt ?? 'infinity', after?.id ?? '', limit],
  )
  if (row === undefined) return { last: undefined, erased: 0 }
  const { erased, ...last } = row
  return { last, erased }
}

/**
 * Deletes the contents of exports that contain records of the actor, or may contain them because they are not finished.
 * The job of a running one begins again.
 * @returns the number of contents
 */
export async function deleteExports(query: Query, { workspaceId, actorId }: ErasedActor): Promise<number> {
  const exports = await query<Row<AuditExport, 'id'>>('SELECT id FROM audit_exports WHERE workspace_id = $1', [
    workspaceId,
  ])
  const results = await readJobResults(
    query,
    workspaceId,
    exports.map(({ id }) => id),
  )
  const deleted = await query(
    `DELETE FROM audit_exports e WHERE e.workspace_id = $1 AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset($3::jsonb) AS finished (id text, first_seq bigint, last_seq bigint)
       WHERE finished.id = e.id AND NOT EXISTS (
         SELECT FROM audit_records r WHERE r.workspace_id = $1 AND r.actor_id = $2
           AND r.seq BETWEEN finished.first_seq AND finished.last_seq))
     RETURNING e.id`,
    [workspaceId, actorId, JSON.stringify([...results].map(([id, result]) => ({ ...result, id })))],
  )
  return deleted.length
}
