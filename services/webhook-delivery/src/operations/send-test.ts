import { type Operation, problem, type webhooks } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Context } from '../context.ts'
import { findDeliveryByEvent } from '../store/deliveries/deliveries.ts'
import { enqueueDeliveries } from '../store/deliveries/enqueue.ts'
import { liftHold } from '../store/deliveries/requeue.ts'
import { lockSubscription } from '../store/subscriptions/subscriptions.ts'
import { deliveryView } from '../views.ts'

/** To this subscription alone, whatever its events; nothing goes over the broker. */
export const sendTest: Operation<typeof webhooks.sendTest, Context> = (
  { database, settings, now },
  caller,
  { params },
) =>
  database.transact(caller, async (tx) => {
    const { webhookId, workspaceId, status, delivery } = await lockSubscription(
      tx,
      caller.workspaceId,
      params.webhook_id,
    )
    if (status !== 'active') throw problem('conflict', { detail: 'The subscription is disabled; enable it first' })
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
    await enqueueDeliveries(
      tx,
      event,
      [{ webhookId, isActive: true, isDeferred: delivery === 'poll' }],
      'test',
      settings.publicBaseUrl,
    )
    return deliveryView(await findDeliveryByEvent(tx.db, event.id, webhookId), now())
  })
