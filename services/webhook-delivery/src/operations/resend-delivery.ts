import { type EventFilter, Problem, problem, type WorkspaceCaller } from '@wp/contracts'
import { matchesEventFilter } from '@wp/events'
import type { Operation } from '../context.ts'
import { parseBody } from '../delivery/request/body.ts'
import { readCustomerRules, requireDelivered } from '../portal/customer-rules.ts'
import type { Tx } from '../store/client.ts'
import { type DeliveryWithAttempts, findDelivery } from '../store/deliveries/deliveries.ts'
import { requeueAtFront } from '../store/deliveries/requeue.ts'
import { lockSubscription, requireActive, type Subscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

/** Sends the same bytes under the same request id, as a further attempt. */
export const resendDelivery: Operation<'resendDelivery'> = (context, caller, { params }) =>
  context.database.transact(caller, async (tx) => {
    const rules = await readCustomerRules(tx.db, context, caller)
    const delivery = requireDelivered(await findDelivery(tx.db, caller, params.request_id), rules)
    const subscription = requireActive(await lockSubscriptionOf(tx, caller, delivery.webhookId))
    if (rules !== undefined) rejectExcluded(subscription, delivery)
    return deliveryView(await requeueAtFront(tx, caller.workspaceId, delivery), context.now())
  })

/** A customer does not get what the workspace excludes by now. @throws Problem `conflict` */
function rejectExcluded({ customerFilter }: Subscription, { origin, body }: DeliveryWithAttempts): void {
  if (customerFilter === null || origin === 'test') return
  const filter = customerFilter as EventFilter // only written in this shape
  if (!matchesEventFilter(filter, parseBody(body)))
    throw problem('conflict', { detail: 'The event is no longer available to this webhook' })
}

/** Locks the subscription of a delivery, which may outlive it. @throws Problem `conflict` if it was removed */
const lockSubscriptionOf = (tx: Tx, caller: WorkspaceCaller, webhookId: string) =>
  lockSubscription(tx, caller, webhookId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found')
      throw problem('conflict', { detail: 'The subscription was removed' })
    throw error
  })
