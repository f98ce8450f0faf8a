import type { Database, Query } from '@wp/database'
import { indexLookups, inWorkerTransaction, type WorkerClient } from '@wp/database/worker-transaction'
import {
  createLoop,
  jitteredMs,
  type Log,
  type Metrics,
  noMetrics,
  type PassResult,
  throttle,
  type Worker,
} from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { oldestUnpublishedAge } from './outbox-table.ts'
import { publishOutbox } from './publish.ts'
import { createRateMeter } from './rate-meter.ts'
import { createStreamWatch } from './stream-watch.ts'

export interface RelayOptions {
  database: Pick<Database, 'worker' | 'onWake' | 'tracing'>
  bus: Bus
  /**
   * Brokers of other cells, for services that serve all shards: events are published in the cell of their workspace.
   */
  cells?: readonly Bus[]
  /** The producer named in the subjects. */
  service: string
  log: Log
  metrics?: Metrics
  /**
   * Polling interval while wakes may be missed, because the broker is unavailable; otherwise polls are five times as
   * rare: they find the events of a process that ended between a commit and its wake. Default 1,000 ms.
   */
  pollMs?: number
  /** Interval of the check whether the stream was recreated while connected. Default 15,000 ms. */
  streamCheckMs?: number
}

/**
 * Shortest time between passes that commits request. At a high rate the events of that time are published together, and
 * all later steps process them together, which costs much less than one by one. The first event after a pause is
 * published at once.
 */
const wakeIntervalMs = 10

/** The same while more commits than `busyPerSecond` have events. */
const busyWakeIntervalMs = 20
const busyPerSecond = 100

/** Polls of a relay without events are so much rarer while the broker is available. */
const idlePollFactor = 5

/** Pause after which a relay that found another replica publishing looks for events that were committed since. */
const heldPauseMs = 20

/**
 * Settings of the transaction that marks events as published. Its commit need not wait for the disk: a mark that a
 * crash of PostgreSQL loses only lets the event be published again, which the broker and the inboxes recognize.
 */
const publication = `${indexLookups}; SET LOCAL synchronous_commit = off`

/** Queue of `Database.onWake` that each commit with events wakes. */
const outboxQueue = 'outbox'

/**
 * Creates the worker that publishes the outbox to the broker, in order and at least once. It runs in every replica, but
 * only one publishes at a time. After the broker restarted or lost its storage, events that may be lost are published
 * again. Each cell has its own loop, so an unavailable broker delays only the events of its cell.
 *
 * Also forwards the database's wakes to all replicas, except those of the outbox: a commit wakes the relay of its own
 * process, which publishes the events of all replicas. If every commit woke every relay, each replica would add a pass.
 * A relay that stops wakes the others, for the events it leaves.
 */
export function createRelay(options: RelayOptions): Worker {
  const { database, bus, cells = [], service } = options
  const relays = [createCellRelay(options, bus, ''), ...cells.map((cell) => createCellRelay(options, cell, cell.shard))]
  let unsubscribe = () => {}

  return {
    name: `relay of ${service}`,
    async start() {
      unsubscribe = database.onWake((queue) => {
        if (queue !== outboxQueue) return bus.wake(service, queue)
        for (const relay of relays) relay.wakeAfterCommit()
      })
      await Promise.all(relays.map((relay) => relay.start()))
    },
    async stop() {
      unsubscribe()
      await Promise.all(relays.map((relay) => relay.stop()))
      bus.wake(service, outboxQueue)
    },
  }
}

/**
 * Creates the relay of one broker. Longer than most functions: its steps share the state of the stream.
 *
 * @param shard shard of the events for this broker; empty for the shard of the service
 */
function createCellRelay(options: RelayOptions, bus: Bus, shard: string): Worker & { wakeAfterCommit(): void } {
  const { database, cells = [], service, log, metrics = noMetrics, pollMs = 1_000, streamCheckMs = 15_000 } = options
  const watch = createStreamWatch({ worker: database.worker, bus, shard, log, intervalMs: streamCheckMs })
  const labels = { shard: bus.shard }
  const commits = createRateMeter()
  let hasCommitted = false

  /** Measures the oldest event. @returns false if there is none */
  async function findUnpublishedEvent(): Promise<boolean> {
    const ageSeconds = await oldestUnpublishedAge(database.worker, shard)
    metrics.gauge('outbox_oldest_seconds', ageSeconds ?? 0, labels)
    return ageSeconds !== undefined
  }

  async function pass(signal: AbortSignal): Promise<PassResult> {
    // A pass that a commit has requested opens its transaction at once; others, also if the event may be for another
    // cell, are likely to find nothing.
    const isExpected = hasCommitted && bus.isConnected && cells.length === 0
    hasCommitted = false
    const hasEvents = isExpected || (await findUnpublishedEvent())
    metrics.gauge('bus_connected', bus.isConnected ? 1 : 0, labels)
    if (!bus.isConnected) return 'idle'
    const marked = await watch.check()
    if (!hasEvents && marked === 0) return jitteredMs(Math.min(idlePollFactor * pollMs, streamCheckMs), Math.random())
    const publish = (_client: WorkerClient, query: Query, commit: () => void) => {
      const inBatches = watch.acceptsBatches
      return publishOutbox({ query, commit, bus, shard, service, log, tracing: database.tracing, signal, inBatches })
    }
    const result = await inWorkerTransaction(database.worker, publish, {
      settings: publication,
      isStartHarmless: true, // the lock, which would end with its statement, and the read
    })
    // The other replica may have read the outbox before the commit that requested this pass.
    if (result === undefined) return heldPauseMs
    const { published, hasMore, failure, oldestSeconds } = result
    metrics.gauge('outbox_oldest_seconds', oldestSeconds, labels)
    metrics.count('outbox_published_total', labels, published)
    if (failure === undefined) return hasMore ? 'more' : 'idle'
    // The stream may be the cause, so it is checked before the next attempt.
    watch.invalidate()
    throw failure
  }

  const name = shard === '' ? `relay of ${service}` : `relay of ${service} to ${shard}`
  const loop = createLoop({
    name,
    pass,
    pollMs,
    wakeIntervalMs,
    log,
    subscribe: (wake) => [
      // Replicas notify each other through the service's own broker, also for events of other cells.
      options.bus.onWake(service, outboxQueue, wake),
      bus.onConnect(() => loop.retry()),
      watch.start(),
    ],
  })
  const wake = throttle(loop.wake, wakeIntervalMs)
  const wakeBusy = throttle(loop.wake, busyWakeIntervalMs)
  return {
    ...loop,
    wakeAfterCommit() {
      hasCommitted = true
      if (commits.count(performance.now()) > busyPerSecond) wakeBusy()
      else wake()
    },
  }
}
