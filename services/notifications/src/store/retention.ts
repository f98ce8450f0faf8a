import type { Database } from '@wp/database'

type Pool = Database['worker']

/** Deletes notifications older than the retention period. @returns the number of deleted rows */
export async function deleteOldNotifications(
  pool: Pool,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM notifications WHERE id IN (
       SELECT id FROM notifications WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)`,
    [days, limit],
  )
  return rowCount ?? 0
}

/** Deletes the notifications of feeds beyond their newest `keep`. @returns the number of deleted rows */
export async function deleteExcessNotifications(
  pool: Pool,
  { keep, limit }: { keep: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM notifications WHERE id IN (
       SELECT n.id FROM feeds f JOIN notifications n ON n.workspace_id = f.workspace_id
         AND n.recipient_id = f.recipient_id AND n.position <= f.last_position - $1 LIMIT $2)`,
    [keep, limit],
  )
  return rowCount ?? 0
}

/**
 * Deletes jobs that ended more than a day ago: their results are in other tables. @returns the number of deleted rows
 */
export async function deleteEndedJobs(pool: Pool, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM platform.jobs WHERE ctid IN (SELECT ctid FROM platform.jobs
       WHERE state IN ('finished', 'failed', 'cancelled') AND finished_at < now() - interval '1 day' LIMIT $1)`,
    [limit],
  )
  return rowCount ?? 0
}
