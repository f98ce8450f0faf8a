import { type DomainEvent, webhookEventKinds } from '@wp/contracts'
import type { Query } from '@wp/database'
import { createConsumer, type EventConsumer } from '@wp/events'
import type { Context } from './context.ts'
import { createDeliveries } from './delivery/create-deliveries.ts'
import { matchesEventFilter } from './delivery/event-filter.ts'
import { enqueueDeliveries, type FanOutTarget, findTargets } from './store/deliveries/enqueue.ts'

/** Tests are enqueued by the request that asks for them and never published. */
const kinds = webhookEventKinds.filter((kind) => kind !== 'WEBHOOK_TEST')

/** Subscriptions whose deliveries are written in one transaction: few, so that the events of others wait briefly. */
const maxTargetsPerTransaction = 100

/** Events in progress in this process, a quarter of them of one workspace at most. */
const maxWaitingEvents = 64

/**
 * Creates the consumer that writes one delivery of each event to every subscription that names its kind and whose filter
 * it passes, a limited number per transaction. Workspaces take turns by transaction, so an event with many subscriptions, or many such events, do not
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
      const { targets, hasMore } = await findMatchingTargets(tx.query, event)
      for (const deliveries of createDeliveries(event, targets, settings.publicBaseUrl))
        await enqueueDeliveries(tx, event, deliveries, position)
      return hasMore ? 'more' : undefined
    },
    log,
    metrics,
  })
}

/** Returns the first subscriptions without a delivery of the event whose filters it passes. */
async function findMatchingTargets(
  query: Query,
  event: DomainEvent,
): Promise<{ targets: FanOutTarget[]; hasMore: boolean }> {
  const targets: FanOutTarget[] = []
  let after = ''
  // Subscriptions whose filters the event does not pass get no delivery, so each transaction reads them again.
  while (targets.length < maxTargetsPerTransaction) {
    const found = await findTargets(query, event, { after, limit: maxTargetsPerTransaction })
    targets.push(...found.filter(({ filter }) => filter === null || matchesEventFilter(filter, event)))
    const last = found.at(-1)
    if (last === undefined || found.length < maxTargetsPerTransaction) break
    after = last.webhookId
  }
  return {
    targets: targets.slice(0, maxTargetsPerTransaction),
    hasMore: targets.length >= maxTargetsPerTransaction,
  }
}
