import type { Database, Query, Transaction } from '@wp/database'
import { indexLookups, inWorkerTransaction } from '@wp/database/worker-transaction'
import { errorCode, isSampled, type Log, type Span, type Tracing, withSpan } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { isInfrastructureError } from '../infrastructure-error.ts'
import { serviceCaller } from '../service-caller.ts'
import { deleteDeferredEvents } from './deferred-event-table.ts'
import type {
  BatchHandler,
  BulkHandler,
  OnTransactionEnd,
  ReceivedEvent,
  SharedBatchHandler,
} from './received-event.ts'

/** The result of a transaction for the events of a batch. */
export interface HandledBatch {
  /** Number of events handled. Those of the batch that are missing were handled before. */
  handled: number
  /** Events to handle again, because the handler has done a step of their effects only. */
  unfinished: readonly ReceivedEvent[]
}

/**
 * Handles the events of one workspace that this consumer has not handled before, in one transaction with their inbox
 * rows.
 */
export async function handleNewEvents<Client>(
  { database, shard, service, consumer, handle }: InboxOptions<Client>,
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  const [first] = batch
  if (first === undefined) return { handled: 0, unfinished: [] }
  const { workspace_id: workspaceId, request_id: requestId } = first.event
  const span = startBatchSpan(database.tracing, batch)
  const traceparent = span?.traceparent ?? first.event.traceparent
  const caller = serviceCaller(service, {
    shard,
    workspaceId: workspaceId === '' ? null : workspaceId,
    requestId,
    traceparent,
  })
  return await withEndListeners((begin) =>
    withSpan(span, () =>
      database.transact(caller, (tx) => {
        const onEnd = begin()
        return handleInTransaction(tx, consumer, batch, (events) => handle(events, tx, onEnd))
      }),
    ),
  )
}

/** Runs a transaction, and calls the listeners that its handler registers when it ends. `begin`: for each attempt. */
async function withEndListeners<T>(transact: (begin: () => OnTransactionEnd) => Promise<T>): Promise<T> {
  let listeners: Parameters<OnTransactionEnd>[0][] = []
  function end(isCommitted: boolean): void {
    for (const listener of listeners) listener(isCommitted)
    listeners = []
  }
  try {
    const result = await transact(() => {
      end(false) // of a transaction that was rolled back and is repeated
      return (listener) => void listeners.push(listener)
    })
    end(true)
    return result
  } finally {
    end(false)
  }
}

/** Time for which a transaction of several workspaces waits for a lock that another one holds. */
const sharedLockTimeoutMs = 200

/**
 * As `handleNewEvents`, for events of any workspaces, through the worker role. If it fails because of one of them,
 * or would wait for a lock for long, nothing is written and all events are unfinished: the caller handles each
 * workspace separately, so that none delays the others.
 */
export async function handleSharedBatch<Client>(
  options: Pick<InboxOptions<Client>, 'database' | 'service' | 'consumer'> & {
    handle: SharedBatchHandler
    bus: Pick<Bus, 'wake'>
    log: Log
  },
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  const { database, service, consumer, handle, bus, log } = options
  const wakes = new Set<string>()
  try {
    const handled = await withEndListeners((begin) =>
      withSpan(startBatchSpan(database.tracing, batch), () =>
        inWorkerTransaction(
          database.worker,
          (_, query) => {
            const tx = { query, wake: (queue: string) => void wakes.add(queue) }
            return handleInTransaction(tx, consumer, batch, (events) => handle(events, tx, begin()))
          },
          { settings: `${indexLookups}; SET LOCAL lock_timeout = ${sharedLockTimeoutMs}` },
        ),
      ),
    )
    for (const queue of wakes) bus.wake(service, queue)
    return handled
  } catch (error) {
    if (isInfrastructureError(error) && !isTransactionRollback(error)) throw error
    log.warn(
      { event: 'event_batch.separated', err: error, consumer, events: batch.length },
      'shared event batch failed; processing each workspace separately',
    )
    return { handled: 0, unfinished: batch }
  }
}

/** SQLSTATE class 40: a deadlock, for example, which the transaction of one of the workspaces may not have. */
const isTransactionRollback = (error: unknown): boolean => errorCode(error)?.startsWith('40') === true

async function handleInTransaction(
  tx: Pick<Transaction, 'query'>,
  consumer: string,
  batch: readonly ReceivedEvent[],
  // biome-ignore lint/suspicious/noConfusingVoidType: as a `BatchHandler`
  handle: (batch: readonly ReceivedEvent[]) => Promise<void | readonly ReceivedEvent[]>,
): Promise<HandledBatch> {
  const byId = new Map(batch.map((received) => [received.event.id, received]))
  const newIds = await insertInboxRows(tx.query, consumer, [...byId.keys()])
  const newEvents = [...byId].filter(([id]) => newIds.has(id)).map(([, received]) => received)
  const unfinished = new Set<ReceivedEvent>((newEvents.length > 0 && (await handle(newEvents))) || [])
  await deleteDeferred(
    tx,
    consumer,
    batch.filter((received) => !unfinished.has(received)),
  )
  // Inserted although not handled yet: until the commit, the rows keep other replicas from the same events.
  await deleteInboxRows(tx, consumer, [...unfinished])
  return { handled: newEvents.length - unfinished.size, unfinished: [...unfinished] }
}

/** Several events have one transaction: it is part of the first trace that is sampled, with links to the others. */
function startBatchSpan(tracing: Tracing | undefined, batch: readonly ReceivedEvent[]): Span | undefined {
  if (tracing === undefined || batch.length === 1) return undefined
  const [parent, ...links] = batch.map(({ event }) => event.traceparent).filter(isSampled)
  return tracing.startSpan('batch', { parent, links, attributes: { 'messaging.batch.message_count': batch.length } })
}

async function deleteInboxRows(
  tx: Pick<Transaction, 'query'>,
  consumer: string,
  events: readonly ReceivedEvent[],
): Promise<void> {
  if (events.length === 0) return
  await tx.query('DELETE FROM platform.inbox WHERE consumer = $1 AND event_id = ANY ($2)', [
    consumer,
    events.map(({ event }) => event.id),
  ])
}

/**
 * In the same transaction as the effect: what needs order waits until no earlier event of the workspace is deferred.
 */
async function deleteDeferred(
  tx: Pick<Transaction, 'query'>,
  consumer: string,
  events: readonly ReceivedEvent[],
): Promise<void> {
  const deferred = events.filter(({ metadata }) => metadata.isDeferred)
  if (deferred.length === 0) return
  await deleteDeferredEvents(
    tx,
    consumer,
    deferred.map(({ event }) => event.id),
  )
}

/**
 * Handles the events that this consumer has not handled before, of any workspaces, in one transaction of the worker
 * role with their inbox rows.
 */
export async function handleNewEventsInBulk<Client>(
  { database, consumer, handle }: Pick<InboxOptions<Client>, 'database' | 'consumer'> & { handle: BulkHandler },
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  const byId = new Map(batch.map((received) => [received.event.id, received]))
  return inWorkerTransaction(database.worker, async (_, query) => {
    const newIds = await insertInboxRows(query, consumer, [...byId.keys()])
    const newEvents = [...byId].filter(([id]) => newIds.has(id)).map(([, received]) => received)
    if (newEvents.length > 0) await handle(newEvents, query)
    return { handled: newEvents.length, unfinished: [] }
  })
}

export interface InboxOptions<Client> {
  database: Database<Client>
  /** Shard of the stream, in which the workspaces of its events are. */
  shard: string
  service: string
  /** Name of the consumer in the inbox and in dead_events. */
  consumer: string
  handle: BatchHandler<Client>
}

/**
 * Inserts inbox rows and deletes earlier failed attempts of the same events. Sorted by id, so that replicas that
 * received the same events do not deadlock.
 *
 * @returns the ids that were not in the inbox before
 */
async function insertInboxRows(query: Query, consumer: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ eventId: string }>(
    `WITH inserted AS (
       INSERT INTO platform.inbox (consumer, event_id) SELECT $1, unnest($2::text[])
       ON CONFLICT DO NOTHING RETURNING event_id
     ), failures AS (
       DELETE FROM platform.dead_events WHERE consumer = $1 AND event_id = ANY ($2)
     )
     SELECT event_id FROM inserted`,
    [consumer, [...ids].sort()],
    'insert_inbox_rows',
  )
  return new Set(rows.map(({ eventId }) => eventId))
}
