import type { Database } from '@wp/database'

/** Deletes deliveries older than `days`, with their attempts, oldest first. @returns the number deleted */
export async function removeOldDeliveries(pool: Database['worker'], days: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM deliveries WHERE request_id IN (
       SELECT request_id FROM deliveries
       WHERE created_at < now() - $1 * interval '1 day' AND (next_attempt_at IS NULL OR next_attempt_at < now())
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [days, limit],
  )
  return rowCount ?? 0
}

/** Deletes hourly counts that no statistics window includes. @returns the number deleted */
export async function removeOldAttemptHours(pool: Database['worker'], limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM attempt_hours WHERE (webhook_id, hour) IN (
       SELECT webhook_id, hour FROM attempt_hours WHERE hour < now() - interval '48 hours' ORDER BY hour LIMIT $1)`,
    [limit],
  )
  return rowCount ?? 0
}
