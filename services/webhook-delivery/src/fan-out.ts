import { webhookEventKinds } from '@wp/contracts'
import { createConsumer, type EventConsumer } from '@wp/events'
import type { Context } from './context.ts'
import { enqueue, targetsOf } from './store/enqueue.ts'

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
    handle: async (event, tx, place) => enqueue(tx, event, await targetsOf(tx.query, event), place, settings.base),
    log,
    metrics,
  })
}
