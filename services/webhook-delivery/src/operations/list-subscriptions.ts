import type { Operation, webhooks } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { listSubscriptions as listRows } from '../store/subscriptions/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const listSubscriptions: Operation<typeof webhooks.listSubscriptions, Context> = async (
  context,
  { workspaceId },
  { query },
) => {
  const rows = await context.database.read({ workspaceId }, (db) => listRows(db, workspaceId, query, query))
  const { items, nextCursor } = paginate(rows, query.limit, (row) => ({ createdAt: row.createdAt, id: row.webhookId }))
  return { items: items.map((row) => subscriptionView(row)), nextCursor }
}
