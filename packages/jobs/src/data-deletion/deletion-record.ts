import type { Query } from '@wp/database'
import { type DeletionPosition, startOfPass } from './delete-rows.ts'

/** The deletion of one workspace's rows from this database. */
export interface DeletionRecord {
  deletionId: string
  workspaceId: string
  /** The cell of the workspace. */
  shard: string
  position: DeletionPosition
  /** Numbers of deleted rows by table. */
  deleted: Record<string, number>
}

const columns = `deletion_id, workspace_id, shard, position, deleted`

/** The time to the millisecond, rounded down: a row that is due now must not be due in the future. */
const now = `date_trunc('milliseconds', clock_timestamp())`

/** Inserts the record of a deletion in the workspace of the transaction, unless it exists. */
export async function insertDeletionRecord(
  query: Query,
  { deletionId, workspaceId, shard }: Pick<DeletionRecord, 'deletionId' | 'workspaceId' | 'shard'>,
  settleMs: number,
): Promise<void> {
  await query(
    `INSERT INTO platform.workspace_data_deletions (deletion_id, workspace_id, shard, position, run_at, settles_at)
     VALUES ($1, $2, $3, $4, ${now}, ${now} + make_interval(secs => $5::float8 / 1000)) ON CONFLICT DO NOTHING`,
    [deletionId, workspaceId, shard, JSON.stringify(startOfPass(false)), settleMs],
  )
}

/** Returns the SQL condition that the deletion with the id of an expression has begun in this database. */
export const hasDeletionRecord = (deletionId: string): string =>
  `EXISTS (SELECT FROM platform.workspace_data_deletions record WHERE record.deletion_id = ${deletionId})`

/**
 * Returns the unfinished deletion whose next step is due first, with the milliseconds until then: zero or less if it is
 * due. Requires the worker role.
 */
export async function findNextDeletion(query: Query): Promise<(DeletionRecord & { dueInMs: number }) | undefined> {
  const [record] = await query<DeletionRecord & { dueInMs: number }>(
    `SELECT ${columns}, (extract(epoch FROM run_at - ${now}) * 1000)::float8 AS due_in_ms
     FROM platform.workspace_data_deletions WHERE finished_at IS NULL ORDER BY run_at, deletion_id LIMIT 1`,
    [],
    'find_next_deletion',
  )
  return record
}

/** Locks a record until the end of the transaction. @returns false if another process is, or was, at the same step */
export async function lockDeletion(query: Query, { deletionId, position }: DeletionRecord): Promise<boolean> {
  const rows = await query(
    `SELECT FROM platform.workspace_data_deletions
     WHERE deletion_id = $1 AND position = $2::jsonb AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [deletionId, JSON.stringify(position)],
  )
  return rows.length > 0
}

/** Saves the position after a step; the deletions of other workspaces that are due come before its next one. */
export async function saveStep(
  query: Query,
  { deletionId }: DeletionRecord,
  { table, deleted, position }: { table: string; deleted: number; position: DeletionPosition },
): Promise<void> {
  const isNewFinalPass = position.isFinalPass && position.table === null
  await query(
    `UPDATE platform.workspace_data_deletions SET position = $2,
       run_at = ${isNewFinalPass ? `greatest(settles_at, ${now})` : now},
       deleted = CASE WHEN $4::bigint = 0 THEN deleted
         ELSE deleted || jsonb_build_object($3::text, coalesce((deleted ->> $3)::bigint, 0) + $4) END
     WHERE deletion_id = $1`,
    [deletionId, JSON.stringify(position), table, deleted],
  )
}

/** Begins the pass again after a pause, because a step failed. Requires the worker role. */
export async function postponeDeletion(
  query: Query,
  { deletionId, position }: DeletionRecord,
  delayMs: number,
): Promise<void> {
  await query(
    `UPDATE platform.workspace_data_deletions SET position = $2,
       run_at = ${now} + make_interval(secs => $3::float8 / 1000)
     WHERE deletion_id = $1 AND finished_at IS NULL`,
    [deletionId, JSON.stringify(startOfPass(position.isFinalPass)), delayMs],
  )
}

/** Marks a deletion as finished. */
export async function finishDeletion(query: Query, { deletionId }: DeletionRecord): Promise<void> {
  await query('UPDATE platform.workspace_data_deletions SET finished_at = now() WHERE deletion_id = $1', [deletionId])
}
