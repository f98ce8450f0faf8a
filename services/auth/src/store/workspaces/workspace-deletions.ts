import type { RetainedTable } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import { type DeletionReport, hasDeletionRecord } from '@wp/jobs/data-deletion'
import type { WorkspaceDeletion } from '#db'

/** Report of one service about the rows it deleted. */
interface DeletionReportRow {
  service: string
  deleted: Record<string, number>
  retained: RetainedTable[]
  /** RFC 3339, UTC, milliseconds. */
  finishedAt: string
}

export interface WorkspaceDeletionRow extends Row<WorkspaceDeletion> {
  reports: DeletionReportRow[]
}

const columns = `d.deletion_id, d.workspace_id, d.shard, d.requested_by, d.status, d.receipt_hash, d.created_at, d.starts_at,
  d.started_at, d.finished_at,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('service', r.service, 'deleted', r.deleted, 'retained', r.retained,
     'finishedAt', to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
   FROM workspace_deletion_reports r WHERE r.deletion_id = d.deletion_id) AS reports`

/** Marks the workspace of the transaction as deleted, or not. Its credentials are refused while it is. */
export async function setWorkspaceDeleted(query: Query, workspaceId: string, isDeleted: boolean): Promise<void> {
  const deletedAt = isDeleted ? 'clock_timestamp()' : 'NULL'
  await query(`UPDATE workspaces SET deleted_at = ${deletedAt} WHERE workspace_id = $1`, [workspaceId])
}

/** Inserts the deletion of the transaction's workspace, which starts after the grace period. */
export async function insertDeletion(
  query: Query,
  deletion: Row<WorkspaceDeletion, 'deletionId' | 'workspaceId' | 'shard' | 'requestedBy'>,
  graceMs: number,
): Promise<void> {
  const { deletionId, workspaceId, shard, requestedBy } = deletion
  await query(
    `INSERT INTO workspace_deletions (deletion_id, workspace_id, shard, requested_by, created_at, starts_at)
     SELECT $1, $2, $3, $4, moment, moment + make_interval(secs => $5::float8 / 1000)
     FROM date_trunc('milliseconds', now()) AS moment`,
    [deletionId, workspaceId, shard, requestedBy, graceMs],
  )
}

/** Returns a deletion with the reports of the services. */
export async function findDeletion(query: Query, deletionId: string): Promise<WorkspaceDeletionRow | undefined> {
  const [row] = await query<WorkspaceDeletionRow>(
    `SELECT ${columns} FROM workspace_deletions d WHERE deletion_id = $1`,
    [deletionId],
  )
  return row
}

/** Returns the latest deletion of a workspace that a user requested. Requires the worker role. */
export async function findRequestedDeletion(
  query: Query,
  userId: string,
  workspaceId: string,
): Promise<WorkspaceDeletionRow | undefined> {
  const [row] = await query<WorkspaceDeletionRow>(
    `SELECT ${columns} FROM workspace_deletions d WHERE requested_by = $1 AND workspace_id = $2
     ORDER BY created_at DESC LIMIT 1`,
    [userId, workspaceId],
  )
  return row
}

/** Moves a deletion from one state to the next. @returns false if it is in another state */
export async function moveDeletion(
  query: Query,
  deletionId: string,
  from: 'scheduled' | 'running',
  to: 'running' | 'finished' | 'cancelled',
): Promise<boolean> {
  const time = to === 'running' ? 'started_at' : 'finished_at'
  const rows = await query(
    `UPDATE workspace_deletions SET status = $3, ${time} = clock_timestamp()
     WHERE deletion_id = $1 AND status = $2 RETURNING 1`,
    [deletionId, from, to],
  )
  return rows.length > 0
}

export const setReceiptHash = (query: Query, deletionId: string, receiptHash: string): Promise<unknown> =>
  query('UPDATE workspace_deletions SET receipt_hash = $2 WHERE deletion_id = $1', [deletionId, receiptHash])

/** Stores the report of a service, once. Ignores a report of an unknown deletion, and of another workspace. */
export async function insertReport(
  query: Query,
  service: string,
  { deletionId, workspaceId, deleted, retained }: DeletionReport,
): Promise<void> {
  await query(
    `INSERT INTO workspace_deletion_reports (deletion_id, service, workspace_id, deleted, retained)
     SELECT deletion_id, $2, workspace_id, $4, $5 FROM workspace_deletions
     WHERE deletion_id = $1 AND workspace_id = $3 AND status = 'running' ON CONFLICT DO NOTHING`,
    [deletionId, service, workspaceId, JSON.stringify(deleted), JSON.stringify(retained)],
  )
}

/** A deletion whose next step is due. */
export type DueDeletion = Pick<WorkspaceDeletionRow, 'deletionId' | 'workspaceId' | 'shard' | 'status'>

/**
 * Returns deletions to continue: those whose grace period has ended, and those that all other services have reported
 * while auth has not begun. Requires the worker role.
 */
export const findDueDeletions = (query: Query, services: readonly string[], limit: number): Promise<DueDeletion[]> =>
  query<DueDeletion>(
    `SELECT deletion_id, workspace_id, shard, status FROM workspace_deletions d
     WHERE status = 'scheduled' AND starts_at <= now()
        OR status = 'running'
           AND NOT ${hasDeletionRecord('d.deletion_id')}
           AND (SELECT count(*) FROM workspace_deletion_reports r
                WHERE r.deletion_id = d.deletion_id AND r.service = ANY ($1)) = cardinality($1::text[])
     ORDER BY starts_at LIMIT $2`,
    [services, limit],
  )

/** Ends the sessions of clients that users authorized for the workspace. */
export const endClientSessions = (query: Query, workspaceId: string): Promise<unknown> =>
  query(
    `UPDATE sessions SET ended_at = clock_timestamp(), end_reason = 'revoked'
     WHERE granted_workspace_id = $1 AND ended_at IS NULL`,
    [workspaceId],
  )

/** Deletes the sessions of clients that users authorized for the workspace. */
export const deleteClientSessions = (query: Query, workspaceId: string): Promise<unknown> =>
  query('DELETE FROM sessions WHERE granted_workspace_id = $1', [workspaceId])
