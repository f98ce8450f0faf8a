import { webhookEventKinds } from '@wp/contracts'
import { createConsumer, type EventConsumer } from '@wp/events'
import type { Context } from './context.ts'
import { createDeliveries } from './delivery/create-deliveries.ts'
import { enqueueDeliveries, findTargets } from './store/deliveries/enqueue.ts'

/** Tests are enqueued by the request that asks for them and never published. */
const kinds = webhookEventKinds.filter((kind) => kind !== 'WEBHOOK_TEST')

/** Creates the consumer that writes one delivery of each event to every subscription that names its kind. */
export function createFanOut({ database, bus, log, metrics, settings }: Context): EventConsumer {
  return createConsumer({
    database,
    bus,
    service: 'webhook-delivery',
    purpose: 'deliveries',
    kinds,
    concurrency: settings.fanOutConcurrency,
    async handle(event, tx, position) {
      const targets = await findTargets(tx.query, event)
      await enqueueDeliveries(tx, event, createDeliveries(event, targets, settings.publicBaseUrl), position)
    },
    log,
    metrics,
  })
}
