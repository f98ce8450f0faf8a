import { webhookEventKinds } from '@wp/contracts'
import type { Query, Transaction } from '@wp/database'
import {
  createBatchConsumer,
  type EventConsumer,
  type OnTransactionEnd,
  type ReceivedEvent,
  type SharedBatchEffect,
  type SharedBatchHandler,
} from '@wp/events'
import type { Context } from '../context.ts'
import { createDelivery, groupBySize } from '../delivery/create-deliveries.ts'
import { serializeBody } from '../delivery/request/body.ts'
import { enqueueDeliveries, type NewDelivery } from '../store/deliveries/enqueue.ts'
import { type IdleEndpoint, lockIdleEndpoints } from '../store/deliveries/idle-endpoints.ts'
import { findLoggedWorkspaces, insertLogEvents } from '../store/destinations/event-log.ts'
import { destinationQueue } from '../store/destinations/progress.ts'
import { addFilteredCounts } from '../store/subscriptions/statistics.ts'
import { chooseTargets, type EventTargets, findTargetsOfBatch, maxPerTransaction } from './choose-targets.ts'
import { type FreeSlots, reserveSlots } from './lease-deliveries.ts'

/** Tests are enqueued by the request that asks for them and never published. */
const kinds = webhookEventKinds.filter((kind) => kind !== 'WEBHOOK_TEST')

/** Events in progress in this process, a quarter of them of one workspace at most. */
const maxWaitingEvents = 256
/** Events in a transaction. */
const maxBatchSize = 64
/** Transactions for several workspaces at once. The worker pool has a connection for each. */
const sharedConcurrency = 2

/**
 * Creates the consumer that writes one delivery of each event to every subscription that names its kind and whose
 * filter it passes. Events that wait for a turn are written together, a limited number of deliveries per transaction.
 * Workspaces take turns by transaction, and a workspace whose deliveries do not fit into a shared one, or that is
 * locked, has its own, so neither many events of a workspace nor an event with many subscriptions delay the events of
 * others. An event is acknowledged when all its deliveries are written, or when it is deferred because its workspace
 * has many in progress; after a crash its fan-out continues with the subscriptions that have no delivery of it. Longer
 * than most functions: its steps share the free slots.
 */
export function createFanOut({ database, bus, log, metrics, settings }: Context, slots: FreeSlots): EventConsumer {
  const { publicBaseUrl, leaseSeconds } = settings

  return createBatchConsumer({
    database,
    bus,
    service: 'webhook-delivery',
    purpose: 'deliveries',
    kinds,
    concurrency: settings.fanOutConcurrency,
    maxWaiting: maxWaitingEvents,
    maxBatchSize,
    ackWaitMs: settings.ackWaitMs,
    async handle(batch, tx, onEnd) {
      const fanOut = await prepare(batch, tx.query)
      const { unfinished, write } = await fanOut(batch, tx, onEnd)
      await write()
      return unfinished
    },
    shared: { prepare, concurrency: sharedConcurrency },
    log,
    metrics,
  })

  async function prepare(batch: readonly ReceivedEvent[], query: Query): Promise<SharedBatchHandler> {
    const workspaceIds = [...new Set(batch.map(({ event }) => event.workspace_id))]
    const [logged, found, locked] = await Promise.all([
      findLoggedWorkspaces(query, workspaceIds),
      findTargetsOfBatch(query, batch),
      lockIdle(query, workspaceIds, batch),
    ])
    // Of many endpoints some are not locked.
    const count = [...found.byWorkspace.values()].reduce((sum, targets) => sum + targets.length, 0)
    const idle = count <= maxPerTransaction ? locked : undefined
    return async (events, tx, onEnd) => {
      await logEvents(
        tx,
        events.filter(({ event }) => logged.has(event.workspace_id)),
      )
      const { chosen, unfinished, filtered } = await chooseTargets(tx.query, events, found)
      const write = await prepareWrites(tx, groupBySize(createDeliveries(chosen, publicBaseUrl)), { onEnd, idle })
      return {
        unfinished,
        write: async () => void (await Promise.all([write(), addFilteredCounts(tx.query, filtered)])),
      }
    }
  }

  /** Locks the idle endpoints of a batch before its targets are known, to save a round trip. */
  async function lockIdle(
    query: Query,
    workspaceIds: readonly string[],
    batch: readonly ReceivedEvent[],
  ): Promise<IdleEndpoint[] | undefined> {
    if (slots.newLeaseToken() === undefined) return undefined
    const kinds = [...new Set(batch.map(({ event }) => event.kind))]
    return await lockIdleEndpoints(
      query,
      { workspaces: { ids: workspaceIds, kinds, limit: maxPerTransaction } },
      leaseSeconds,
    )
  }

  /** Adds the events of workspaces with an event destination to their logs; those that are left for later too. */
  async function logEvents(tx: Pick<Transaction, 'query' | 'wake'>, logged: readonly ReceivedEvent[]): Promise<void> {
    if (logged.length === 0) return
    const rows = logged.map(({ event, metadata: position }) => ({
      event,
      position,
      body: serializeBody(event, event.id, publicBaseUrl),
    }))
    await insertLogEvents(tx.query, rows)
    tx.wake(destinationQueue)
  }

  /** Writes all groups of deliveries but the last. @returns a function that sends the statements of the last */
  async function prepareWrites(
    tx: Pick<Transaction, 'query' | 'wake'>,
    groups: Iterable<readonly NewDelivery[]>,
    options: LeaseOptions,
  ): Promise<SharedBatchEffect['write']> {
    let write = async () => {}
    let { idle } = options
    for (const deliveries of groups) {
      await write()
      write = await prepareWrite(tx, deliveries, { ...options, idle })
      idle = undefined // the free slots are those before the first group
    }
    return write
  }

  /**
   * Prepares deliveries with leases as far as there are free slots, which are sent after the commit.
   *
   * @returns a function that writes them
   */
  async function prepareWrite(
    tx: Pick<Transaction, 'query' | 'wake'>,
    deliveries: readonly NewDelivery[],
    { onEnd, idle }: LeaseOptions,
  ): Promise<SharedBatchEffect['write']> {
    const leases = await reserveSlots(tx.query, deliveries, { slots, leaseSeconds, idle })
    let written: ReadonlySet<string> = new Set()
    onEnd((isCommitted) => {
      const isLeased = ({ requestId }: { requestId: string }) => isCommitted && written.has(requestId)
      slots.send(leases.deliveries.filter(isLeased))
      slots.release(leases.deliveries.filter((delivery) => !isLeased(delivery)))
    })
    return async () => {
      written = await enqueueDeliveries(tx, deliveries, { ...leases, leaseSeconds })
    }
  }
}

interface LeaseOptions {
  onEnd: OnTransactionEnd
  /** The idle endpoints of the deliveries, if they are locked. */
  idle: readonly IdleEndpoint[] | undefined
}

function* createDeliveries(chosen: readonly EventTargets[], publicBaseUrl: string): Generator<NewDelivery> {
  for (const { received, targets } of chosen)
    for (const target of targets) yield createDelivery(received.event, received.metadata, target, publicBaseUrl)
}
