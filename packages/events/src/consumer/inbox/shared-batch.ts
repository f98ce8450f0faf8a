import type { Transaction } from '@wp/database'
import { indexLookups, inWorkerTransaction } from '@wp/database/worker-transaction'
import { errorCode, type Log, withSpan } from '@wp/runtime'
import type { Bus } from '../../bus/bus.ts'
import { isInfrastructureError } from '../../infrastructure-error.ts'
import type { OnTransactionEnd, PrepareSharedBatch, ReceivedEvent } from '../received-event.ts'
import { type HandledBatch, type InboxOptions, startBatchSpan, withEndListeners } from './inbox.ts'
import { finishBatch, inboxTransaction, insertNewEvents } from './inbox-rows.ts'

/** Time for which a transaction of several workspaces waits for a lock that another one holds. */
const sharedLockTimeoutMs = 200

/**
 * As `handleNewEvents`, for events of any workspaces, through the worker role. If it fails because of one of them,
 * or would wait for a lock for long, nothing is written and all events are unfinished: the caller handles each
 * workspace separately, so that none delays the others.
 */
export async function handleSharedBatch<Client>(
  options: Pick<InboxOptions<Client>, 'database' | 'service' | 'consumer'> & {
    prepare: PrepareSharedBatch
    bus: Pick<Bus, 'wake'>
    log: Log
  },
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  const { database, service, consumer, prepare, bus, log } = options
  const wakes = new Set<string>()
  try {
    const handled = await withEndListeners((begin) =>
      withSpan(startBatchSpan(database.tracing, batch), () =>
        inWorkerTransaction(
          database.worker,
          (_, query, commit) => {
            const tx = { query, wake: (queue: string) => void wakes.add(queue) }
            return handlePrepared({ tx, consumer, prepare, commit, onEnd: begin() }, batch)
          },
          {
            settings: `${indexLookups}; ${inboxTransaction}; SET LOCAL lock_timeout = ${sharedLockTimeoutMs}`,
            isStartHarmless: true, // the inbox rows, which need the setting, and the reads of `prepare`
          },
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

interface PreparedTransaction {
  tx: Pick<Transaction, 'query' | 'wake'>
  consumer: string
  prepare: PrepareSharedBatch
  commit: () => void
  onEnd: OnTransactionEnd
}

/**
 * Handles those of the events that are new. The inbox rows are inserted in one round trip with BEGIN and the reads of
 * the handler, and its last statements are sent with the commit.
 */
async function handlePrepared(
  { tx, consumer, prepare, commit, onEnd }: PreparedTransaction,
  batch: readonly ReceivedEvent[],
): Promise<HandledBatch> {
  const [newEvents, handle] = await Promise.all([
    insertNewEvents(tx, consumer, batch, { isSentWithBegin: true }),
    prepare(batch, tx.query),
  ])
  const { unfinished, write } = newEvents.length > 0 ? await handle(newEvents, tx, onEnd) : noEffect
  const finished = finishBatch(tx, consumer, batch, new Set(unfinished))
  const written = write()
  commit()
  await Promise.all([finished, written])
  return { handled: newEvents.length - unfinished.length, unfinished }
}

const noEffect = { unfinished: [], write: async () => {} }
