import type { Query } from '@wp/database'

/** Wake queue of the dispatchers: deliveries are due. */
export const deliveryQueue = 'deliveries'

/**
 * Marks endpoints as having a delivery that is due now, in the transaction that makes it due. The caller wakes
 * `deliveryQueue` with the commit.
 *
 * An endpoint that is already marked is not updated, so that a burst of events does not contend for its row. This is
 * safe only if no claim clears the mark between this check and the commit: hence the shared lock here and the exclusive
 * lock in `refreshDueMarks`.
 */
export async function markDue(query: Query, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await Promise.all([
    lockMarksShared(query, webhookIds),
    query(
      `UPDATE endpoints SET next_due_at = date_trunc('milliseconds', now())
       WHERE webhook_id IN (
         SELECT webhook_id FROM endpoints
         WHERE webhook_id = ANY ($1) AND (next_due_at IS NULL OR next_due_at > now())
         ORDER BY webhook_id FOR NO KEY UPDATE
       )`,
      [webhookIds],
      'mark_due',
    ),
  ])
}

/**
 * Sets the due marks of endpoints to the time of their next delivery, or clears them. Called after a claim that found
 * no further due delivery; its transaction holds the endpoints' rows. The mark of an endpoint stays while another
 * transaction adds a delivery to it, and the next claim looks again.
 */
export async function refreshDueMarks(query: Query, webhookIds: readonly string[]): Promise<void> {
  const locked = await tryLockMarks(query, webhookIds)
  if (locked.length === 0) return
  // A separate statement, so that its snapshot includes everything committed before the lock was taken.
  await query(
    `UPDATE endpoints SET next_due_at = (
       SELECT next_attempt_at FROM deliveries
       WHERE deliveries.webhook_id = endpoints.webhook_id AND status = 'pending' AND next_attempt_at IS NOT NULL
       ORDER BY next_attempt_at LIMIT 1
     ) WHERE webhook_id = ANY ($1)`,
    [locked],
    'refresh_due_marks',
  )
}

/** Keeps other transactions from clearing the marks of these endpoints until this one ends. */
export const lockMarksShared = (query: Query, webhookIds: readonly string[]) =>
  query(
    `SELECT pg_advisory_xact_lock_shared(hashtextextended(id, 0)) FROM unnest($1::text[]) AS id`,
    [webhookIds],
    'lock_due_marks',
  )

/** Returns the endpoints whose marks this transaction may clear; those that another one is marking are left out. */
export async function tryLockMarks(query: Query, webhookIds: readonly string[]): Promise<string[]> {
  const locked = await query<{ id: string }>(
    `SELECT id FROM unnest($1::text[]) AS id WHERE pg_try_advisory_xact_lock(hashtextextended(id, 0))`,
    [webhookIds],
    'try_lock_due_marks',
  )
  return locked.map(({ id }) => id)
}
