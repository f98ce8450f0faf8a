import { webhookEventKinds } from '@wp/contracts'
import { createConsumer, type EventConsumer } from '@wp/events'
import type { Context } from './context.ts'
import { createDeliveries } from './delivery/create-deliveries.ts'
import { enqueueDeliveries, findTargets } from './store/deliveries/enqueue.ts'

/** Tests are enqueued by the request that asks for them and never published. */
const kinds = webhookEventKinds.filter((kind) => kind !== 'WEBHOOK_TEST')

/** Subscriptions whose deliveries are written in one transaction: few, so that the events of others wait briefly. */
const maxTargetsPerTransaction = 100

/** Events in progress in this process, a quarter of them of one workspace at most. */
const maxWaitingEvents = 64

/**
 * Creates the consumer that writes one delivery of each event to every subscription that names its kind, a limited number
 * per transaction. Workspaces take turns by transaction, so an event with many subscriptions, or many such events, do not
 * delay the events of other workspaces. An event is acknowledged when all its deliveries are written, or when it is
 * deferred because its workspace has many in progress; after a crash its fan-out continues with the subscriptions that
 * have no delivery of it.
 */
export function createFanOut({ database, bus, log, metrics, settings }: Context): EventConsumer {
  return createConsumer({
    database,
    bus,
    service: 'webhook-delivery',
    purpose: 'deliveries',
    kinds,
    concurrency: settings.fanOutConcurrency,
    maxWaiting: maxWaitingEvents,
    ackWaitMs: settings.ackWaitMs,
    async handle(event, tx, position) {
      const targets = await findTargets(tx.query, event, maxTargetsPerTransaction)
      for (const deliveries of createDeliveries(event, targets, settings.publicBaseUrl))
        await enqueueDeliveries(tx, event, deliveries, position)
      return targets.length === maxTargetsPerTransaction ? 'more' : undefined
    },
    log,
    metrics,
  })
}
