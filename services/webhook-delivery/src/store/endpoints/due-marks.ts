import type { Query } from '@wp/database'

/** Wake queue of the dispatchers: deliveries are due. */
export const deliveryQueue = 'deliveries'

/**
 * Records that endpoints have a delivery that is due now, in the transaction that makes it due. The caller wakes
 * `deliveryQueue` with the commit.
 *
 * Adds rows and never updates those of the endpoints, which claims and the records of attempts hold most of the time
 * under load: events of all workspaces are written together and must not wait for one endpoint.
 */
export async function markDue(query: Query, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await query(
    `INSERT INTO due_marks (webhook_id, workspace_id)
     SELECT webhook_id, workspace_id FROM endpoints WHERE webhook_id = ANY ($1)`,
    [webhookIds],
    'mark_due',
  )
}

/**
 * Sets the end of leases of now as the time at which a delivery of the endpoints is due, unless one is earlier. Skips
 * endpoints whose row another transaction holds.
 *
 * @returns the endpoints that were not skipped
 */
export async function setLeaseEnd(
  query: Query,
  webhookIds: readonly string[],
  leaseSeconds: number,
): Promise<ReadonlySet<string>> {
  if (webhookIds.length === 0) return new Set()
  const rows = await query<{ webhookId: string }>(
    `UPDATE endpoints e SET next_due_at = least(e.next_due_at, now() + $2 * interval '1 second')
     FROM (SELECT webhook_id FROM endpoints WHERE webhook_id = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED) free
     WHERE e.webhook_id = free.webhook_id RETURNING e.webhook_id`,
    [webhookIds, leaseSeconds],
    'set_lease_end',
  )
  return new Set(rows.map(({ webhookId }) => webhookId))
}

/** Limit of one claim. */
const maxAbsorbedEndpoints = 1_000

/**
 * Moves the marks that `markDue` has added to their endpoints. Those of endpoints whose row another transaction holds
 * are left for a later claim. The deliveries of the marks moved are visible to the statements that follow in this
 * transaction.
 *
 * @returns true if marks are left
 */
export async function absorbDueMarks(query: Query): Promise<boolean> {
  const [marks] = await query<{ areLeft: boolean }>(
    `WITH added AS MATERIALIZED (
       SELECT DISTINCT webhook_id FROM due_marks LIMIT $1
     ), locked AS MATERIALIZED (
       SELECT webhook_id FROM endpoints WHERE webhook_id = ANY (ARRAY(SELECT webhook_id FROM added))
       FOR NO KEY UPDATE SKIP LOCKED
     ), removed AS (
       DELETE FROM due_marks WHERE webhook_id = ANY (ARRAY(SELECT webhook_id FROM locked))
     ), marked AS (
       UPDATE endpoints SET next_due_at = date_trunc('milliseconds', now())
       WHERE webhook_id = ANY (ARRAY(SELECT webhook_id FROM locked)) AND (next_due_at IS NULL OR next_due_at > now())
     )
     SELECT added.count > locked.count OR added.count = $1 AS are_left
     FROM (SELECT count(*) FROM added) added, (SELECT count(*) FROM locked) locked`,
    [maxAbsorbedEndpoints],
    'absorb_due_marks',
  )
  return marks?.areLeft ?? false
}
