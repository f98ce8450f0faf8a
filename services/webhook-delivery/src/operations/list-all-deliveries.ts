import type { Operation, webhooks } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { listDeliveries } from '../store/deliveries/deliveries.ts'
import { deliveryView } from '../views.ts'

export const listAllDeliveries: Operation<typeof webhooks.listAllDeliveries, Context> = async (
  { database, now },
  { workspaceId },
  { query },
) => {
  const filter = { ...query, webhookId: query.webhook_id, eventId: query.event_id }
  const rows = await database.read({ workspaceId }, (db) => listDeliveries(db, workspaceId, filter, query))
  const { items, nextCursor } = paginate(rows, query.limit, (row) => ({ createdAt: row.createdAt, id: row.requestId }))
  return { items: items.map((row) => deliveryView(row, now())), nextCursor }
}
