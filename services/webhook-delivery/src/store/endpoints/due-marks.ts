import type { Query } from '@wp/database'

/**
 * Marks endpoints as having something due now, in the transaction that makes it so; to be followed by `tx.wake`.
 *
 * An endpoint that is marked already is left alone, so that a burst of events does not queue for its row. For this to
 * be safe, nobody may take the mark away while we have looked but not committed: hence the shared lock, against the
 * exclusive one in `settleMarks`.
 */
export async function markDue(query: Query, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await query(`SELECT pg_advisory_xact_lock_shared(hashtextextended(id, 0)) FROM unnest($1::text[]) AS id`, [
    webhookIds,
  ])
  await query(
    `UPDATE endpoints SET next_due_at = date_trunc('milliseconds', now())
     WHERE webhook_id IN (
       SELECT webhook_id FROM endpoints
       WHERE webhook_id = ANY ($1) AND (next_due_at IS NULL OR next_due_at > now())
       ORDER BY webhook_id FOR NO KEY UPDATE
     )`,
    [webhookIds],
  )
}

/**
 * After a claim found no more due rows of these endpoints, whose rows it holds: says when the next one will be. Where
 * a transaction that adds one is under way the mark stays, and the next claim looks again.
 */
export async function refreshDueMarks(query: Query, webhookIds: readonly string[]): Promise<void> {
  const unlocked = await query<{ id: string }>(
    `SELECT id FROM unnest($1::text[]) AS id WHERE pg_try_advisory_xact_lock(hashtextextended(id, 0))`,
    [webhookIds],
  )
  if (unlocked.length === 0) return
  // A statement of its own: only now does it see everything that was committed before the lock.
  await query(
    `UPDATE endpoints SET next_due_at = (
       SELECT min(next_attempt_at) FROM deliveries
       WHERE deliveries.webhook_id = endpoints.webhook_id AND status = 'pending'
     ) WHERE webhook_id = ANY ($1)`,
    [unlocked.map(({ id }) => id)],
  )
}
