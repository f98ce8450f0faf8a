import { type Operation, problem, type webhookDelivery } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readFloor } from '../store/floor.ts'
import { acknowledge, handOut } from '../store/poll.ts'
import { lockSubscription } from '../store/subscriptions.ts'

/** A transaction although it reads: what is handed out is remembered, and what came with the cursor has arrived. */
export const pollDeliveries: Operation<typeof webhookDelivery.pollDeliveries, Context> = async (
  { database },
  caller,
  { params, query },
) => {
  const floor = await readFloor(database.worker)
  return database.transact(caller, async (tx) => {
    const { webhookId, delivery, status } = await lockSubscription(tx, caller.workspaceId, params.webhook_id)
    if (delivery !== 'poll')
      throw problem('conflict', { detail: 'The subscription sends to its endpoint; set `delivery` to `poll` first' })
    if (status !== 'active') throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
    if (query.cursor !== undefined) await acknowledge(tx, webhookId, query.cursor)
    const { rows, cursor, more } = await handOut(tx, webhookId, floor, query.limit)
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
