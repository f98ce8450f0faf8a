import type { Database, WorkerClient } from '@wp/database'
import { inWorkerTransaction } from '@wp/database/worker-transaction'
import type { Log } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { findOrCreateStream } from '../bus/stream.ts'
import {
  compareStream,
  lockOutbox,
  type ObservedStream,
  rememberStream,
  unpublishAll,
  unpublishRecent,
} from './outbox-table.ts'

export interface StreamWatch {
  /** Starts observing connections. @returns a function that stops it */
  start(): () => void
  /**
   * Checks the stream if a check is due: after each connection, after `invalidate`, and periodically. Creates the
   * stream if it is missing.
   *
   * @returns the number of events that have to be published again
   * @throws BrokerUnavailable; Error if the stream has unsuitable settings
   */
  check(): Promise<number>
  /** True if the stream accepts several events as one batch, as of the last check. */
  readonly acceptsBatches: boolean
  /** Makes the next check due. */
  invalidate(): void
}

/**
 * Creates a watch that detects a restarted broker or a recreated stream and marks possibly lost events as unpublished.
 */
export function createStreamWatch(options: {
  worker: Database['worker']
  bus: Bus
  /** Shard of the stream's events; empty for the shard of the service. */
  shard: string
  log: Log
  intervalMs: number
}): StreamWatch {
  const { worker, bus, shard, log, intervalMs } = options
  let connection = { isReconnection: false, at: performance.now() }
  let hasConnected = false
  let checked: { connection: object; createdAt: string } | undefined
  let dueAt = 0
  let acceptsBatches = false

  async function check(): Promise<number> {
    const current = connection
    hasConnected = true
    if (checked?.connection === current && performance.now() < dueAt) return 0
    const { config, created } = await findOrCreateStream(bus)
    dueAt = performance.now() + intervalMs
    acceptsBatches = config.allow_atomic === true && bus.jetstream.broker().hasAtomicBatches
    if (checked?.connection === current && checked.createdAt === created) return 0

    const stream = { name: config.name, createdAt: created, serverId: bus.jetstream.broker().serverId }
    const isReconnection = current.isReconnection && checked?.connection !== current
    const marked = await inWorkerTransaction(worker, async (client, query) => {
      if (!(await lockOutbox(query, shard))) return undefined
      return markForRepublish(client, shard, stream, { isReconnection, ageMs: performance.now() - current.at })
    })
    // Another replica holds the outbox; check again with the next pass.
    if (marked === undefined) return 0
    checked = { connection: current, createdAt: created }
    // Recent events are republished after every restart as a precaution; a recreated stream has lost all of them.
    if (marked.loss === 'storage' && marked.events > 0)
      log.warn({ event: 'stream.lost', ...marked }, 'stream was recreated; republishing all stored events')
    else if (marked.events > 0)
      log.info?.({ event: 'broker.restarted', ...marked }, 'broker may have lost recent events; republishing them')
    return marked.events
  }

  return {
    check,
    get acceptsBatches() {
      return acceptsBatches
    },
    invalidate() {
      dueAt = 0
    },
    start() {
      hasConnected = bus.isConnected
      connection = { isReconnection: false, at: performance.now() }
      return bus.onConnect(() => {
        connection = { isReconnection: hasConnected, at: performance.now() }
        hasConnected = true
      })
    },
  }
}

/** The broker syncs to disk every two minutes by default and loses later events in a crash; this adds a margin. */
const republishMinutes = 10

type Loss = 'storage' | 'crash' | 'none'

/**
 * Classifies what the broker may have lost. Nothing on the first connection to the same broker process; possibly recent
 * events after any reconnection, which may follow a crash; everything if the stream was recreated.
 */
export function classifyLoss(known: { sameStream: boolean; sameServer: boolean }, isReconnection: boolean): Loss {
  if (!known.sameStream) return 'storage'
  return isReconnection || !known.sameServer ? 'crash' : 'none'
}

/**
 * Marks events that the broker may have lost as unpublished: all stored events if the stream was recreated, those of
 * the last minutes if the broker may have crashed. Events that were not lost are dropped by the broker within its
 * duplicate window, and by the inboxes of the consumers.
 *
 * @param shard shard of the stream's events; empty for the shard of the service
 * @param connection whether this is a reconnection, and its age: events published since are safe
 */
async function markForRepublish(
  client: WorkerClient,
  shard: string,
  stream: ObservedStream,
  connection: { isReconnection: boolean; ageMs: number },
): Promise<{ loss: Loss; events: number }> {
  const loss = classifyLoss(await compareStream(client, stream), connection.isReconnection)
  if (loss === 'none') return { loss, events: 0 }
  await rememberStream(client, stream)
  const events =
    loss === 'storage'
      ? await unpublishAll(client, shard)
      : await unpublishRecent(client, shard, republishMinutes, connection.ageMs)
  return { loss, events }
}
