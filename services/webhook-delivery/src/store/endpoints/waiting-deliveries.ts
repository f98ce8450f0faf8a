import { type Database, inWorkerTransaction, type Query, type Row, type Transaction } from '@wp/database'
import { durableName, followsNoDeferredEvent } from '@wp/events'
import type { Delivery, Endpoint } from '#db'
import { markDue } from './due-marks.ts'

/** The consumer that writes deliveries: see fan-out.ts. */
const fanOutConsumer = durableName('webhook-delivery', 'deliveries')

/** Wake queue of ordered delivery: a delivery of a strict endpoint waits. */
export const orderedDeliveryQueue = 'ordered_deliveries'

/** SQL condition of a delivery that waits: for the deliveries before it, or to be polled. */
export const isWaiting = `status = 'pending' AND next_attempt_at IS NULL`

/** Returns the SQL condition that no earlier event of the workspace is deferred. @param delivery alias of the table */
export const isNextEvent = (delivery: string): string =>
  followsNoDeferredEvent(fanOutConsumer, {
    workspaceId: `${delivery}.workspace_id`,
    streamCreatedAt: `${delivery}.stream_created_at`,
    sequence: `${delivery}.sequence`,
  })

/** Limits of one pass: endpoints, and deliveries released at endpoints that no longer keep an order. */
const maxEndpoints = 100
const maxReleasedRows = 1_000

/**
 * Marks endpoints as having waiting deliveries, in the transaction that adds them. The caller wakes
 * `orderedDeliveryQueue` with the commit.
 *
 * An endpoint that is already marked is not updated, so that a burst of events does not contend for its row. This is
 * safe only if the mark is not cleared between this check and the commit: hence the shared lock here and the exclusive
 * lock in `clearWaitingMarks`.
 */
export async function markWaiting({ query }: Pick<Transaction, 'query'>, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  // Sent together, since the commit may follow at once: the second one sees what was committed before the lock.
  await Promise.all([
    query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended(id, 0)) FROM unnest($1::text[]) AS id`,
      [webhookIds],
      'lock_waiting_marks',
    ),
    query(
      `UPDATE endpoints SET has_waiting = true WHERE webhook_id IN (
         SELECT webhook_id FROM endpoints WHERE webhook_id = ANY ($1) AND NOT has_waiting AND NOT is_polled
         ORDER BY webhook_id FOR NO KEY UPDATE)`,
      [webhookIds],
    ),
  ])
}

export interface ReleasedHeads {
  isReleased: boolean
  /**
   * True if an endpoint has no released delivery: its first one must wait because an earlier event may still be fanned
   * out, or was written after the snapshot of this transaction.
   */
  isBlocked: boolean
}

/**
 * Makes the first waiting delivery of each strict endpoint due, if none of the endpoint is in flight and the watermark
 * has passed it and no earlier event is deferred. The transaction holds the endpoints' rows.
 */
export async function releaseHeads(query: Query, webhookIds: readonly string[]): Promise<ReleasedHeads> {
  if (webhookIds.length === 0) return { isReleased: false, isBlocked: false }
  const heads = await query<Row<Delivery, 'requestId' | 'webhookId'> & { isReady: boolean }>(
    `SELECT head.request_id, e.webhook_id,
       (head.stream_created_at, head.sequence) <= (coalesce(watermark.stream_created_at, 'epoch'), coalesce(watermark.sequence, 0))
         AND ${isNextEvent('head')} AS is_ready
     FROM endpoints e CROSS JOIN LATERAL (
       SELECT request_id, workspace_id, stream_created_at, sequence FROM deliveries d WHERE d.webhook_id = e.webhook_id AND ${isWaiting}
       ORDER BY stream_created_at, sequence, request_id LIMIT 1
     ) head LEFT JOIN fan_out_watermark watermark ON true
     WHERE e.webhook_id = ANY ($1) AND e.is_strict AND (${inFlightDelivery}) IS NULL`,
    [webhookIds],
  )
  const ready = heads.filter((head) => head.isReady)
  if (ready.length > 0) {
    await query(
      `UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()), updated_at = now()
       WHERE request_id = ANY ($1)`,
      [ready.map((head) => head.requestId)],
    )
    await markDue(
      query,
      ready.map((head) => head.webhookId),
    )
  }
  return { isReleased: ready.length > 0, isBlocked: ready.length < webhookIds.length }
}

/**
 * SQL subquery: a delivery of endpoint `e` that is in flight or will be retried; null if there is none. Tests are not
 * events, so they neither wait nor block. LIMIT makes the planner look it up per endpoint, where an EXISTS may be
 * planned as one scan of all pending deliveries; ORDER BY makes it use the index of the endpoint's queue.
 */
const inFlightDelivery = `SELECT d.request_id FROM deliveries d
  WHERE d.webhook_id = e.webhook_id AND d.status = 'pending' AND d.next_attempt_at IS NOT NULL AND d.origin = 'event'
  ORDER BY d.next_attempt_at LIMIT 1`

/** SQL subquery: the first waiting delivery of an endpoint; null if there is none. LIMIT and ORDER BY as above. */
const waitingDelivery = `SELECT d.request_id FROM deliveries d
  WHERE d.webhook_id = endpoints.webhook_id AND ${isWaiting} ORDER BY d.stream_created_at, d.sequence LIMIT 1`

/**
 * Releases the next delivery of each marked strict endpoint, and all waiting deliveries of marked endpoints that no
 * longer keep an order. Waits for endpoints that a claim or the recording of an attempt has locked: one that is passed
 * over would wait for the next poll. `hasMore`: the pass reached its limit.
 */
export function releaseNextDeliveries(pool: Database['worker']): Promise<{ isReleased: boolean; hasMore: boolean }> {
  return inWorkerTransaction(pool, async (_client, query) => {
    const endpoints = await query<Row<Endpoint, 'webhookId' | 'isStrict'>>(
      `SELECT webhook_id, is_strict FROM endpoints e WHERE has_waiting AND (NOT is_strict OR (${inFlightDelivery}) IS NULL)
       ORDER BY webhook_id LIMIT $1 FOR NO KEY UPDATE`,
      [maxEndpoints],
    )
    const idsOf = (isStrict: boolean) =>
      endpoints.filter((each) => each.isStrict === isStrict).map((each) => each.webhookId)
    const heads = await releaseHeads(query, idsOf(true))
    const released = await releaseAll(query, idsOf(false))
    await clearWaitingMarks(
      query,
      endpoints.map((each) => each.webhookId),
    )
    return { isReleased: heads.isReleased || released > 0, hasMore: released === maxReleasedRows }
  })
}

async function releaseAll(query: Query, webhookIds: readonly string[]): Promise<number> {
  if (webhookIds.length === 0) return 0
  const released = await query<Row<Delivery, 'webhookId'>>(
    `UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()), lease_token = NULL, updated_at = now()
     WHERE request_id IN (SELECT request_id FROM deliveries WHERE webhook_id = ANY ($1) AND ${isWaiting} LIMIT $2)
     RETURNING webhook_id`,
    [webhookIds, maxReleasedRows],
  )
  await markDue(query, [...new Set(released.map((row) => row.webhookId))])
  return released.length
}

/** Clears the marks of endpoints without waiting deliveries, unless another transaction is adding one. */
async function clearWaitingMarks(query: Query, webhookIds: readonly string[]): Promise<void> {
  const locked = await query<{ id: string }>(
    `SELECT id FROM unnest($1::text[]) AS id WHERE pg_try_advisory_xact_lock(hashtextextended(id, 0))`,
    [webhookIds],
  )
  if (locked.length === 0) return
  // A separate statement, so that its snapshot includes everything committed before the lock was taken.
  await query(`UPDATE endpoints SET has_waiting = false WHERE webhook_id = ANY ($1) AND (${waitingDelivery}) IS NULL`, [
    locked.map(({ id }) => id),
  ])
}
