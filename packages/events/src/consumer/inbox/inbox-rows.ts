import type { Query, Transaction } from '@wp/database'
import { deleteDeferredEvents } from '../deferred-event-table.ts'
import type { ReceivedEvent } from '../received-event.ts'

/** Setting of a transaction for `insertNewEvents` with `isSentWithBegin`. */
export const inboxTransaction = `SET LOCAL app.inbox = 'open'`

/**
 * Inserts the inbox rows of a batch.
 *
 * @param options.isSentWithBegin true if the transaction, which has the setting `inboxTransaction`, may not have begun:
 *   then nothing is written by itself, since a row without the effect of its event would lose the event
 * @returns the events that this consumer has not handled before
 */
export async function insertNewEvents(
  { query }: Pick<Transaction, 'query'>,
  consumer: string,
  batch: readonly ReceivedEvent[],
  { isSentWithBegin = false }: { isSentWithBegin?: boolean } = {},
): Promise<ReceivedEvent[]> {
  const byId = new Map(batch.map((received) => [received.event.id, received]))
  const newIds = await insertInboxRows(query, consumer, [...byId.keys()], isSentWithBegin)
  return [...byId].filter(([id]) => newIds.has(id)).map(([, received]) => received)
}

/** Deletes what was stored of events to be handled later, and the inbox rows of those that are unfinished. */
export async function finishBatch(
  tx: Pick<Transaction, 'query'>,
  consumer: string,
  batch: readonly ReceivedEvent[],
  unfinished: ReadonlySet<ReceivedEvent>,
): Promise<void> {
  const finished = batch.filter((received) => !unfinished.has(received))
  await Promise.all([
    deleteDeferred(tx, consumer, finished),
    // Inserted although not handled yet: until the commit, the rows keep other replicas from the same events.
    deleteInboxRows(tx, consumer, [...unfinished]),
  ])
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
 * Inserts inbox rows and deletes earlier failed attempts of the same events. Sorted by id, so that replicas that
 * received the same events do not deadlock.
 *
 * @returns the ids that were not in the inbox before
 */
async function insertInboxRows(
  query: Query,
  consumer: string,
  ids: readonly string[],
  isSentWithBegin: boolean,
): Promise<Set<string>> {
  const rows = await query<{ eventId: string }>(
    `WITH inserted AS (
       INSERT INTO platform.inbox (consumer, event_id) SELECT $1, unnest($2::text[]) WHERE ${hasBegun}
       ON CONFLICT DO NOTHING RETURNING event_id
     ), failures AS (
       DELETE FROM platform.dead_events WHERE consumer = $1 AND event_id = ANY ($2) AND (${hasBegun})
     )
     SELECT event_id FROM inserted`,
    [consumer, [...ids].sort(), isSentWithBegin],
    'insert_inbox_rows',
  )
  return new Set(rows.map(({ eventId }) => eventId))
}

const hasBegun = `NOT $3::boolean OR current_setting('app.inbox', true) = 'open'`
