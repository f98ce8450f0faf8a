import { webhooks } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bindSurface, createRotateEncryptionPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createFanOut } from './fan-out.ts'
import { operations } from './operations/index.ts'
import { createReplayRunner } from './replays/runner.ts'
import { sealedSubscriptions } from './store/subscriptions/sealed-subscriptions.ts'
import { createDeliveryRetention } from './worker/delivery-retention.ts'
import { createDispatcher } from './worker/dispatcher.ts'
import { createOrderedDelivery } from './worker/ordered-delivery.ts'
import { createPendingActionsWorker } from './worker/pending-actions.ts'
import { createQueueGauges } from './worker/queue-gauges.ts'

export function createService(context: Context): Service {
  const { database, bus, outbound, sealer, log, metrics } = context
  const reseal = createRotateEncryptionPass({ sealer, stores: [sealedSubscriptions(database.worker)], log, metrics })
  const pendingActions = createPendingActionsWorker(context)
  const fanOut = createFanOut(context)
  const orderedDelivery = createOrderedDelivery(context, fanOut)
  return {
    surfaces: [bindSurface(webhooks, operations, context)],
    workers: [
      createRelay({ database, bus, service: 'webhook-delivery', log, metrics }),
      fanOut,
      createDispatcher(context, { pendingActions: pendingActions.wake, orderedDelivery: orderedDelivery.wake }),
      orderedDelivery,
      pendingActions,
      createReplayRunner(context),
      createDeliveryRetention(context),
      createRetention({ database, service: 'webhook-delivery', log, metrics }),
      createQueueGauges(context),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    async close() {
      outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
