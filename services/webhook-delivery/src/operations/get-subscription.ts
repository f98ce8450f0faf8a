import type { Operation, webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'
import { subscriptionView } from '../views.ts'

export const getSubscription: Operation<typeof webhooks.getSubscription, Context> = async (
  context,
  { workspaceId },
  { params },
) =>
  subscriptionView(
    await context.database.read({ workspaceId }, (db) => findSubscription(db, workspaceId, params.webhook_id)),
  )
