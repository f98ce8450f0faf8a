import type { Transaction } from '@wp/database'
import type { Subscription } from '#db'
import { orderedDeliveryQueue } from '../endpoints/waiting-deliveries.ts'

/**
 * Applies a changed ordering or delivery mode to the endpoint and its pending deliveries, in the transaction that
 * changes the subscription. Attempts in flight are not interrupted. Deliveries that no longer need to wait are released
 * by the ordered-delivery worker.
 */
export async function changeOrdering(
  tx: Pick<Transaction, 'query' | 'wake'>,
  { webhookId, ordering, delivery }: Pick<Subscription, 'webhookId' | 'ordering' | 'delivery'>,
): Promise<void> {
  const [isStrict, isPolled] = [ordering === 'strict', delivery === 'poll']
  await tx.query('UPDATE endpoints SET is_strict = $2, is_polled = $3, has_waiting = NOT $3 WHERE webhook_id = $1', [
    webhookId,
    isStrict,
    isPolled,
  ])
  if (isStrict || isPolled)
    await tx.query(
      `UPDATE deliveries SET next_attempt_at = NULL, updated_at = now()
       WHERE webhook_id = $1 AND status = 'pending' AND lease_token IS NULL AND ($2 OR origin = 'event')`,
      [webhookId, isPolled],
    )
  // Deliveries returned by a poll and never acknowledged.
  if (!isPolled)
    await tx.query(
      `UPDATE deliveries SET lease_token = NULL
       WHERE webhook_id = $1 AND lease_token IS NOT NULL AND status = 'pending' AND next_attempt_at IS NULL`,
      [webhookId],
    )
  tx.wake(orderedDeliveryQueue)
}
