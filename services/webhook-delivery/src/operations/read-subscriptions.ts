import type { Operation, webhooks } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { findSubscription, findSubscriptions } from '../store/subscriptions/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const getSubscription: Operation<typeof webhooks.getSubscription, Context> = async (
  context,
  { workspaceId },
  { params },
) =>
  subscriptionView(
    await context.database.read({ workspaceId }, (db) => findSubscription(db, workspaceId, params.webhook_id)),
  )

export const listSubscriptions: Operation<typeof webhooks.listSubscriptions, Context> = async (
  context,
  { workspaceId },
  { query },
) => {
  const rows = await context.database.read({ workspaceId }, (db) => findSubscriptions(db, workspaceId, query, query))
  const { items, nextCursor } = paginate(rows, query.limit, (row) => ({ createdAt: row.createdAt, id: row.webhookId }))
  return { items: items.map((row) => subscriptionView(row)), nextCursor }
}
