import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { acknowledgeDeliveries, pollNextDeliveries } from '../store/deliveries/poll.ts'
import { readWatermark } from '../store/endpoints/watermark.ts'
import { lockSubscription, requireActive } from '../store/subscriptions/subscriptions.ts'

/** Runs in a transaction: it counts an attempt of each delivery returned, and the cursor acknowledges earlier ones. */
export const pollDeliveries: Operation<'pollDeliveries'> = async ({ database }, caller, { params, query }) => {
  const watermark = await readWatermark(database.worker)
  return database.transact(caller, async (tx) => {
    const subscription = await lockSubscription(tx, caller, params.webhook_id)
    const { webhookId } = subscription
    if (subscription.delivery !== 'poll')
      throw problem('conflict', { detail: 'The subscription pushes to its endpoint; set `delivery` to `poll` first' })
    requireActive(subscription)
    if (query.cursor !== undefined) await acknowledgeDeliveries(tx, webhookId, query.cursor)
    const { rows, cursor, hasMore } = await pollNextDeliveries(tx, webhookId, watermark, query.limit)
    return {
      items: rows.map((row) => ({
        request_id: row.requestId,
        event_id: row.eventId,
        event: row.eventKind,
        body: row.body.toString(),
        occurred_at: row.occurredAt.toISOString(),
      })),
      next_cursor: cursor,
      done: !hasMore,
    }
  })
}
