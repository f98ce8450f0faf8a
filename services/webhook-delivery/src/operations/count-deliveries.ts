import type { Operation, webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { countReplayable } from '../store/deliveries/replayable-deliveries.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'

export const countDeliveries: Operation<typeof webhooks.countDeliveries, Context> = (
  { database },
  { workspaceId },
  { params, query: range },
) =>
  database.read({ workspaceId }, async (db, query) => {
    const { webhookId } = await findSubscription(db, workspaceId, params.webhook_id)
    return { webhook_id: webhookId, ...(await countReplayable(query, webhookId, range)) }
  })
