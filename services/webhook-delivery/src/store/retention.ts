import type { Database } from '@wp/database'

/** @returns how many were removed */
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

/** Hours that no statistics tell of any more. @returns how many were removed */
export async function removeOldAttemptHours(pool: Database['worker'], limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM attempt_hours WHERE (webhook_id, hour) IN (
       SELECT webhook_id, hour FROM attempt_hours WHERE hour < now() - interval '48 hours' ORDER BY hour LIMIT $1)`,
    [limit],
  )
  return rowCount ?? 0
}

/** Endpoints to which nothing is sent although something waits: by the breaker, or because they are disabled. */
export async function countBlockedEndpoints(pool: Database['worker']): Promise<{ held: number; disabled: number }> {
  const { rows } = await pool.query<{ held: number; disabled: number }>(
    `SELECT count(*) FILTER (WHERE enabled AND held_until > now())::int AS held,
       count(*) FILTER (WHERE NOT enabled AND NOT polled)::int AS disabled
     FROM endpoints WHERE next_due_at IS NOT NULL AND (NOT enabled OR held_until > now())`,
  )
  return rows[0] ?? { held: 0, disabled: 0 }
}

/** Beyond this it is many, and counting on would cost more than it tells. */
const maxCounted = 100_000

/** Deliveries whose time has come, held and disabled endpoints' included; 100,000 stands for any more. */
export async function countDueDeliveries(pool: Database['worker']): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now() LIMIT $1
     ) AS due`,
    [maxCounted],
  )
  return rows[0]?.count ?? 0
}
