import { newId } from '@wp/database'
import type { Operation } from '../context.ts'
import { createDelivery } from '../delivery/create-deliveries.ts'
import { findDeliveryByEvent } from '../store/deliveries/deliveries.ts'
import { enqueueDeliveries } from '../store/deliveries/enqueue.ts'
import { liftHold } from '../store/deliveries/requeue.ts'
import { lockSubscription, requireActive } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

/** Enqueues a test for this subscription only, whatever its event kinds. It is not published to the broker. */
export const sendTest: Operation<'sendTest'> = ({ database, settings, now }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const subscription = requireActive(await lockSubscription(tx, caller, params.webhook_id))
    const { webhookId, workspaceId, delivery } = subscription
    const event = {
      id: newId('evt'),
      kind: 'WEBHOOK_TEST',
      workspace_id: workspaceId,
      occurred_at: new Date(now()).toISOString(),
      actor: caller.principal,
      request_id: caller.requestId,
      traceparent: caller.traceparent ?? null,
      data: { id: webhookId, status: 'test' },
    }
    await liftHold(tx, webhookId)
    const target = { webhookId, isActive: true, isDeferred: delivery === 'poll' }
    await enqueueDeliveries(tx, [createDelivery(event, 'test', target, settings.publicBaseUrl)])
    return deliveryView(await findDeliveryByEvent(tx.db, event.id, webhookId), now())
  })
