import { type Operation, Problem, problem, type webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { findDelivery } from '../store/deliveries/deliveries.ts'
import { requeueAtFront } from '../store/deliveries/requeue.ts'
import { lockSubscription, requireActive } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

/** Sends the same bytes under the same request id, as a further attempt. */
export const resendDelivery: Operation<typeof webhooks.resendDelivery, Context> = (
  { database, now },
  caller,
  { params },
) =>
  database.transact(caller, async (tx) => {
    const delivery = await findDelivery(tx.db, caller.workspaceId, params.request_id)
    requireActive(await lockSubscriptionOf(tx, caller.workspaceId, delivery.webhookId))
    return deliveryView(await requeueAtFront(tx, caller.workspaceId, delivery), now())
  })

/** Locks the subscription of a delivery, which may outlive it. @throws Problem `conflict` if it was removed */
const lockSubscriptionOf = (tx: Tx, workspaceId: string, webhookId: string) =>
  lockSubscription(tx, workspaceId, webhookId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found')
      throw problem('conflict', { detail: 'The subscription was removed' })
    throw error
  })
