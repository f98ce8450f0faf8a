import { maxStatisticsDays } from '@wp/contracts'
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

/** Statistics begin with a whole day, which may be a day longer than their range. */
const attemptHourDays = maxStatisticsDays + 1

/** Deletes hourly counts that no statistics include. @returns the number deleted */
export async function removeOldAttemptHours(pool: Database['worker'], limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM attempt_hours WHERE (webhook_id, hour) IN (
       SELECT webhook_id, hour FROM attempt_hours WHERE hour < now() - $1 * interval '1 day' ORDER BY hour LIMIT $2)`,
    [attemptHourDays, limit],
  )
  return rowCount ?? 0
}
