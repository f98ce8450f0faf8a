import type { Database, Query, Transaction } from '@wp/database'
import { inWorkerTransaction } from '../worker-transaction.ts'
import { markDue } from './due-marks.ts'

/** The queue whose wakes say that something waits for its turn. */
export const orderedDeliveryQueue = 'turns'

/** What a pending delivery that waits looks like. */
export const isWaiting = `status = 'pending' AND next_attempt_at IS NULL`

/** Endpoints looked at by one pass, and deliveries let go of each that has no order any more, at most. */
const maxEndpoints = 100
const maxReleasedRows = 1_000

/**
 * Says that deliveries of these endpoints wait for their turn, in the transaction that makes it so; to be followed by
 * `tx.wake(turnQueue)`. Locked as in `markDue`, and for the same reason.
 */
export async function markWaiting({ query }: Pick<Transaction, 'query'>, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return
  await query(`SELECT pg_advisory_xact_lock_shared(hashtextextended(id, 0)) FROM unnest($1::text[]) AS id`, [
    webhookIds,
  ])
  await query(
    `UPDATE endpoints SET awaits = true WHERE webhook_id IN (
       SELECT webhook_id FROM endpoints WHERE webhook_id = ANY ($1) AND NOT awaits AND NOT polled
       ORDER BY webhook_id FOR NO KEY UPDATE)`,
    [webhookIds],
  )
}

/**
 * Lets the next delivery of strict endpoints go, whose rows the transaction holds: where none is under way, the first
 * that waits, as soon as no earlier event can come any more.
 * @returns whether one was let go, and whether one must wait for events before it
 */
export async function releaseHeads(
  query: Query,
  webhookIds: readonly string[],
): Promise<{ isReleased: boolean; isBlocked: boolean }> {
  if (webhookIds.length === 0) return { isReleased: false, isBlocked: false }
  const heads = await query<{ request_id: string; webhook_id: string; ready: boolean }>(
    `SELECT head.request_id, e.webhook_id,
       (head.stream_at, head.sequence) <= (coalesce(floor.stream_at, 'epoch'), coalesce(floor.sequence, 0)) AS ready
     FROM endpoints e CROSS JOIN LATERAL (
       SELECT request_id, stream_at, sequence FROM deliveries d WHERE d.webhook_id = e.webhook_id AND ${isWaiting}
       ORDER BY stream_at, sequence, request_id LIMIT 1
     ) head LEFT JOIN fan_out_floor floor ON true
     WHERE e.webhook_id = ANY ($1) AND e.strict AND (${inFlightDelivery}) IS NULL`,
    [webhookIds],
  )
  const ready = heads.filter((head) => head.ready)
  if (ready.length > 0) {
    await query(
      `UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()), updated_at = now()
       WHERE request_id = ANY ($1)`,
      [ready.map((head) => head.request_id)],
    )
    await markDue(
      query,
      ready.map((head) => head.webhook_id),
    )
  }
  return { isReleased: ready.length > 0, isBlocked: ready.length < heads.length }
}

/**
 * What is under way to an endpoint, or is tried again; null where nothing is. A test is no event: it neither waits for
 * its turn nor holds up another. Limited, so that it is looked up endpoint by endpoint: an EXISTS may be planned as one
 * pass over all that is pending anywhere.
 */
const inFlightDelivery = `SELECT d.request_id FROM deliveries d
  WHERE d.webhook_id = e.webhook_id AND d.status = 'pending' AND d.next_attempt_at IS NOT NULL AND d.origin = 'event'
  LIMIT 1`

/** Gives turns where somebody waits for one; where there is no order any more, to all. @returns whether any was given */
export function releaseNextDeliveries(pool: Database['worker']): Promise<{ isReleased: boolean; more: boolean }> {
  return inWorkerTransaction(pool, '', async (query) => {
    const endpoints = await query<{ webhook_id: string; strict: boolean }>(
      `SELECT webhook_id, strict FROM endpoints e WHERE awaits AND (NOT strict OR (${inFlightDelivery}) IS NULL)
       ORDER BY webhook_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
      [maxEndpoints],
    )
    const idsOf = (strict: boolean) => endpoints.filter((each) => each.strict === strict).map((each) => each.webhook_id)
    const { isReleased } = await releaseHeads(query, idsOf(true))
    const released = await releaseAll(query, idsOf(false))
    await clearIdleMarks(
      query,
      endpoints.map((each) => each.webhook_id),
    )
    return { isReleased: isReleased || released > 0, more: released === maxReleasedRows }
  })
}

async function releaseAll(query: Query, webhookIds: readonly string[]): Promise<number> {
  if (webhookIds.length === 0) return 0
  const released = await query<{ webhook_id: string }>(
    `UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()), lease_token = NULL, updated_at = now()
     WHERE request_id IN (SELECT request_id FROM deliveries WHERE webhook_id = ANY ($1) AND ${isWaiting} LIMIT $2)
     RETURNING webhook_id`,
    [webhookIds, maxReleasedRows],
  )
  await markDue(query, [...new Set(released.map((row) => row.webhook_id))])
  return released.length
}

/** Takes the mark from endpoints of which nothing waits; as in `settleMarks`, unless something is being added. */
async function clearIdleMarks(query: Query, webhookIds: readonly string[]): Promise<void> {
  const unlocked = await query<{ id: string }>(
    `SELECT id FROM unnest($1::text[]) AS id WHERE pg_try_advisory_xact_lock(hashtextextended(id, 0))`,
    [webhookIds],
  )
  if (unlocked.length === 0) return
  await query(
    `UPDATE endpoints SET awaits = false WHERE webhook_id = ANY ($1)
       AND NOT EXISTS (SELECT FROM deliveries WHERE deliveries.webhook_id = endpoints.webhook_id AND ${isWaiting})`,
    [unlocked.map(({ id }) => id)],
  )
}
