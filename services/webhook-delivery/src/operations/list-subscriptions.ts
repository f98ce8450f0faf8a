import type { Operation, webhookDelivery } from '@wp/contracts'
import { page } from '@wp/database'
import type { Context } from '../context.ts'
import { listSubscriptions as listRows } from '../store/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const listSubscriptions: Operation<typeof webhookDelivery.listSubscriptions, Context> = async (
  context,
  { workspaceId },
  { query },
) => {
  const rows = await context.database.read({ workspaceId }, (db) => listRows(db, workspaceId, query, query))
  const { items, nextCursor } = page(rows, query.limit, (row) => ({ createdAt: row.createdAt, id: row.webhookId }))
  return { items: items.map(subscriptionView), nextCursor }
}
