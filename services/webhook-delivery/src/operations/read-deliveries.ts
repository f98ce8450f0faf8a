import type { Operation, webhooks } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { type DeliveryRow, findDeliveries, findDelivery } from '../store/deliveries/deliveries.ts'
import { countReplayable } from '../store/deliveries/replayable-deliveries.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryDetail, deliveryView } from '../views.ts'

export const getDelivery: Operation<typeof webhooks.getDelivery, Context> = async (
  { database, now },
  { workspaceId },
  { params },
) =>
  deliveryDetail(await database.read({ workspaceId }, (db) => findDelivery(db, workspaceId, params.request_id)), now())

export const listDeliveries: Operation<typeof webhooks.listDeliveries, Context> = async (
  { database, now },
  { workspaceId },
  { params, query },
) => {
  const rows = await database.read({ workspaceId }, async (db) => {
    const { webhookId } = await findSubscription(db, workspaceId, params.webhook_id)
    return findDeliveries(db, workspaceId, { ...query, webhookId }, query)
  })
  return deliveryPage(rows, query.limit, now())
}

export const listAllDeliveries: Operation<typeof webhooks.listAllDeliveries, Context> = async (
  { database, now },
  { workspaceId },
  { query },
) => {
  const filter = { ...query, webhookId: query.webhook_id, eventId: query.event_id }
  const rows = await database.read({ workspaceId }, (db) => findDeliveries(db, workspaceId, filter, query))
  return deliveryPage(rows, query.limit, now())
}

export const countDeliveries: Operation<typeof webhooks.countDeliveries, Context> = (
  { database },
  { workspaceId },
  { params, query: range },
) =>
  database.read({ workspaceId }, async (db, query) => {
    const { webhookId } = await findSubscription(db, workspaceId, params.webhook_id)
    return { webhook_id: webhookId, ...(await countReplayable(query, webhookId, range)) }
  })

function deliveryPage(rows: readonly DeliveryRow[], limit: number, nowMs: number) {
  const { items, nextCursor } = paginate(rows, limit, (row) => ({ createdAt: row.createdAt, id: row.requestId }))
  return { items: items.map((row) => deliveryView(row, nowMs)), nextCursor }
}
