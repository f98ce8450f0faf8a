import type { Database, Transaction } from '@wp/database'
import { inWorkerTransaction } from '@wp/database/worker-transaction'
import { isSampled, type Span, type Tracing, withSpan } from '@wp/runtime'
import { serviceCaller } from '../../service-caller.ts'
import type { BatchHandler, BulkHandler, OnTransactionEnd, ReceivedEvent } from '../received-event.ts'
import { finishBatch, insertNewEvents } from './inbox-rows.ts'

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
export async function withEndListeners<T>(transact: (begin: () => OnTransactionEnd) => Promise<T>): Promise<T> {
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

async function handleInTransaction(
  tx: Pick<Transaction, 'query'>,
  consumer: string,
  batch: readonly ReceivedEvent[],
  // biome-ignore lint/suspicious/noConfusingVoidType: as a `BatchHandler`
  handle: (batch: readonly ReceivedEvent[]) => Promise<void | readonly ReceivedEvent[]>,
): Promise<HandledBatch> {
  const newEvents = await insertNewEvents(tx, consumer, batch)
  const unfinished = new Set((newEvents.length > 0 && (await handle(newEvents))) || [])
  await finishBatch(tx, consumer, batch, unfinished)
  return { handled: newEvents.length - unfinished.size, unfinished: [...unfinished] }
}

/** Several events have one transaction: it is part of the first trace that is sampled, with links to the others. */
export function startBatchSpan(tracing: Tracing | undefined, batch: readonly ReceivedEvent[]): Span | undefined {
  if (tracing === undefined || batch.length === 1) return undefined
  const [parent, ...links] = batch.map(({ event }) => event.traceparent).filter(isSampled)
  return tracing.startSpan('batch', { parent, links, attributes: { 'messaging.batch.message_count': batch.length } })
}

/**
 * Handles the events that this consumer has not handled before, of any workspaces, in one transaction of the worker
 * role with their inbox rows.
 */
export async function handleNewEventsInBulk<Client>(
  { database, consumer, handle }: Pick<InboxOptions<Client>, 'database' | 'consumer'> & { handle: BulkHandler },
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  return inWorkerTransaction(database.worker, async (_, query) => {
    const newEvents = await insertNewEvents({ query }, consumer, batch)
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
