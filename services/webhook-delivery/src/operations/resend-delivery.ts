import { type Operation, Problem, problem, type webhooks } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { findDelivery } from '../store/deliveries/deliveries.ts'
import { requeue } from '../store/deliveries/requeue.ts'
import { lockSubscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

/** The same bytes under the same request id, as one more attempt. */
export const resendDelivery: Operation<typeof webhooks.resendDelivery, Context> = (
  { database, now },
  caller,
  { params },
) =>
  database.transact(caller, async (tx) => {
    const delivery = await findDelivery(tx.db, caller.workspaceId, params.request_id)
    await requireActive(tx, caller.workspaceId, delivery.webhookId)
    return deliveryView(await requeue(tx, caller.workspaceId, delivery), now())
  })

async function requireActive(tx: Transaction<PrismaClient>, workspaceId: string, webhookId: string): Promise<void> {
  const subscription = await lockSubscription(tx, workspaceId, webhookId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found')
      throw problem('conflict', { detail: 'The subscription was removed' })
    throw error
  })
  if (subscription.status !== 'active')
    throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
}
