import type { Operation, webhooks } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { listDeliveries as listRows } from '../store/deliveries/deliveries.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

export const listDeliveries: Operation<typeof webhooks.listDeliveries, Context> = async (
  { database, now },
  { workspaceId },
  { params, query },
) => {
  const rows = await database.read({ workspaceId }, async (db) => {
    const { webhookId } = await findSubscription(db, workspaceId, params.webhook_id)
    return listRows(db, workspaceId, { ...query, webhookId }, query)
  })
  const { items, nextCursor } = paginate(rows, query.limit, (row) => ({ createdAt: row.createdAt, id: row.requestId }))
  return { items: items.map((row) => deliveryView(row, now())), nextCursor }
}
