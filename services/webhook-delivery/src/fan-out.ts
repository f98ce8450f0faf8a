import { webhookEventKinds } from '@wp/contracts'
import { createConsumer, type EventConsumer } from '@wp/events'
import type { Context } from './context.ts'
import { enqueueDeliveries, findTargets } from './store/deliveries/enqueue.ts'

/** What goes to the subscription it was asked for alone is never heard here. */
const kinds = webhookEventKinds.filter((kind) => kind !== 'WEBHOOK_TEST')

/** Turns every event of the shard into one delivery per subscription that asked for it. */
export function createFanOut({ database, bus, log, metrics, settings }: Context): EventConsumer {
  return createConsumer({
    database,
    bus,
    service: 'webhook-delivery',
    purpose: 'deliveries',
    kinds,
    concurrency: settings.fanOutConcurrency,
    handle: async (event, tx, position) =>
      enqueueDeliveries(tx, event, await findTargets(tx.query, event), position, settings.publicBaseUrl),
    log,
    metrics,
  })
}
