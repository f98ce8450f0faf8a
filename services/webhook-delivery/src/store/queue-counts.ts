import type { Database } from '@wp/database'

/** Counts endpoints that have due deliveries and get none: held by their circuit breaker, or disabled. */
export async function countBlockedEndpoints(pool: Database['worker']): Promise<{ held: number; disabled: number }> {
  const { rows } = await pool.query<{ held: number; disabled: number }>(
    `SELECT count(*) FILTER (WHERE is_enabled AND held_until > now())::int AS held,
       count(*) FILTER (WHERE NOT is_enabled AND NOT is_polled)::int AS disabled
     FROM endpoints WHERE next_due_at IS NOT NULL AND (NOT is_enabled OR held_until > now())`,
  )
  return rows[0] ?? { held: 0, disabled: 0 }
}

/** Bounds the cost of counting. */
const maxCounted = 100_000

/** Counts due deliveries, including those of held and disabled endpoints; 100,000 stands for any larger number. */
export async function countDueDeliveries(pool: Database['worker']): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now() LIMIT $1
     ) AS due`,
    [maxCounted],
  )
  return rows[0]?.count ?? 0
}
