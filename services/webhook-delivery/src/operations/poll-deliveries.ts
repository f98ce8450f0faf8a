import { type Operation, problem, type webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { acknowledgeDeliveries, leaseNextDeliveries } from '../store/deliveries/poll.ts'
import { readWatermark } from '../store/endpoints/watermark.ts'
import { lockSubscription } from '../store/subscriptions/subscriptions.ts'

/** A transaction although it reads: what is handed out is remembered, and what came with the cursor has arrived. */
export const pollDeliveries: Operation<typeof webhooks.pollDeliveries, Context> = async (
  { database },
  caller,
  { params, query },
) => {
  const watermark = await readWatermark(database.worker)
  return database.transact(caller, async (tx) => {
    const { webhookId, delivery, status } = await lockSubscription(tx, caller.workspaceId, params.webhook_id)
    if (delivery !== 'poll')
      throw problem('conflict', { detail: 'The subscription sends to its endpoint; set `delivery` to `poll` first' })
    if (status !== 'active') throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
    if (query.cursor !== undefined) await acknowledgeDeliveries(tx, webhookId, query.cursor)
    const { rows, cursor, more } = await leaseNextDeliveries(tx, webhookId, watermark, query.limit)
    return {
      items: rows.map((row) => ({
        request_id: row.request_id,
        event_id: row.event_id,
        event: row.event_kind,
        body: row.body.toString(),
        occurred_at: row.occurred_at.toISOString(),
      })),
      next_cursor: cursor,
      done: !more,
    }
  })
}
