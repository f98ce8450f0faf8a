import { problem } from '@wp/contracts'
import type { Row, Transaction } from '@wp/database'
import type { Delivery, Endpoint } from '#db'
import type { Tx } from '../client.ts'
import type { DeliveryRow } from './deliveries.ts'
import { markQueued } from './enqueue.ts'

/** Position among the endpoint's due deliveries. */
type QueuePosition = 'front' | 'back'

const dueAt: Record<QueuePosition, string> = {
  back: 'now()',
  front: `least(now(), (
    SELECT min(next_attempt_at) - interval '1 millisecond' FROM deliveries waiting
    WHERE waiting.webhook_id = $1 AND waiting.status = 'pending'))`,
}

/**
 * Queues deliveries of a subscription that have ended again, with a full retry schedule: the same bytes under the same
 * request ids, as further attempts. They are subtracted from the counter they were in. At a strict or polled endpoint
 * they wait in the order of their events.
 *
 * @returns the number queued; deliveries that are pending are left unchanged
 */
export async function requeueDeliveries(
  tx: Transaction,
  webhookId: string,
  requestIds: readonly string[],
  position: QueuePosition,
): Promise<number> {
  if (requestIds.length === 0) return 0
  const [endpoint] = await tx.query<Row<Endpoint, 'isStrict' | 'isPolled'>>(
    'SELECT is_strict, is_polled FROM endpoints WHERE webhook_id = $1 FOR NO KEY UPDATE',
    [webhookId],
  )
  const { isStrict = false, isPolled = false } = endpoint ?? {}
  const ended = await tx.query<Row<Delivery, 'requestId' | 'status'>>(
    `SELECT request_id, status FROM deliveries
     WHERE request_id = ANY ($2) AND webhook_id = $1 AND status <> 'pending' ORDER BY request_id FOR UPDATE`,
    [webhookId, requestIds],
  )
  await tx.query(
    `UPDATE deliveries SET status = 'pending', lease_token = NULL, retries_used = 0, throttled_at = NULL,
       is_manual = true, updated_at = now(), next_attempt_at = CASE WHEN $4 OR ($3 AND origin = 'event') THEN NULL
         ELSE date_trunc('milliseconds', ${dueAt[position]}) END
     WHERE webhook_id = $1 AND request_id = ANY ($2)`,
    [webhookId, ended.map((row) => row.requestId), isStrict, isPolled],
  )
  const countEnded = (status: string) => ended.filter((row) => row.status === status).length
  await tx.query(
    `UPDATE endpoints SET delivered_count = delivered_count - $2, failed_count = failed_count - $3 WHERE webhook_id = $1`,
    [webhookId, countEnded('delivered'), countEnded('failed')],
  )
  await markQueued(tx, { due: [webhookId], waiting: isStrict || isPolled ? [webhookId] : [] })
  return ended.length
}

/**
 * Queues one delivery before all others of its endpoint. A hold of the endpoint is lifted, because the resend was
 * requested by a person.
 *
 * @throws Problem `not_found`; `conflict` while the delivery is pending or in flight
 */
export async function requeueAtFront(
  tx: Tx,
  workspaceId: string,
  { webhookId, requestId }: Pick<DeliveryRow, 'webhookId' | 'requestId'>,
): Promise<DeliveryRow> {
  const requeued = await requeueDeliveries(tx, webhookId, [requestId], 'front')
  if (requeued === 0)
    throw problem('conflict', { detail: 'The delivery is pending or in flight; it will be sent without a resend' })
  await liftHold(tx, webhookId)
  const row = await tx.db.delivery.findFirst({ where: { workspaceId, requestId }, omit: { body: true } })
  if (row === null) throw problem('not_found')
  return row
}

/** Ends a hold of the endpoint, so that its next attempt is made at once. */
export async function liftHold({ query }: Pick<Transaction, 'query'>, webhookId: string): Promise<void> {
  await query('UPDATE endpoints SET held_until = NULL WHERE webhook_id = $1 AND held_until > now()', [webhookId])
}
