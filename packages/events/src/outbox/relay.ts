import { type Database, inWorkerTransaction } from '@wp/database'
import { createLoop, type Log, type Loop, type Metrics, noMetrics, type Worker } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { lockOutbox, oldestUnpublishedAge } from './outbox-table.ts'
import { publishBatch } from './publish.ts'
import { createStreamWatch } from './stream-watch.ts'

export interface RelayOptions {
  database: Pick<Database, 'worker' | 'onWake'>
  bus: Bus
  /** Brokers of other cells: what happened in a workspace of theirs is told there. For services that serve all shards. */
  cells?: readonly Bus[]
  /** The producer in the subjects. */
  service: string
  log: Log
  metrics?: Metrics
  /** The net under the wakes. Default 1,000. */
  pollMs?: number
  /** How often it is looked whether the stream was made anew while the broker stayed. Default 5,000. */
  streamCheckMs?: number
}

/**
 * Brings what was committed to the outbox onto the broker, in order and at least once; in every replica, one at a time.
 * When the broker was lost, or lost its storage, what may be gone with it is published again. Also announces the
 * database's wakes, of all queues, to every replica. Each cell has its own turn: one whose broker is away holds up
 * nothing but its own events.
 */
export function createRelay(options: RelayOptions): Worker {
  const { database, bus, cells = [], service } = options
  const relays = [createCellRelay(options, bus, ''), ...cells.map((cell) => createCellRelay(options, cell, cell.shard))]
  let unsubscribes: (() => void)[] = []

  return {
    name: `relay of ${service}`,
    async start() {
      unsubscribes = [
        database.onWake((queue) => bus.wake(service, queue)),
        ...relays.flatMap(({ bus: to, loop, watch }) => [
          // Replicas hear each other where the service is at home, wherever the event goes.
          bus.onWake(service, 'outbox', loop.wake),
          to.onConnect(loop.retry),
          watch.start(),
        ]),
      ]
      await Promise.all(relays.map(({ loop }) => loop.start()))
    },
    async stop() {
      for (const end of unsubscribes) end()
      await Promise.all(relays.map(({ loop }) => loop.stop()))
    },
  }
}

interface CellRelay {
  bus: Bus
  loop: Loop
  watch: ReturnType<typeof createStreamWatch>
}

/** @param shard whose events go to this broker; empty: those of the service's own */
function createCellRelay(options: RelayOptions, bus: Bus, shard: string): CellRelay {
  const { database, service, log, metrics = noMetrics, pollMs = 1_000, streamCheckMs = 5_000 } = options
  const watch = createStreamWatch({ worker: database.worker, bus, shard, log, everyMs: streamCheckMs })
  const labels = { shard: bus.shard }

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const ageSeconds = await oldestUnpublishedAge(database.worker, shard)
    metrics.gauge('outbox_oldest_seconds', ageSeconds ?? 0, labels)
    metrics.gauge('bus_connected', bus.isConnected ? 1 : 0, labels)
    if (!bus.isConnected) return 'idle'
    const marked = await watch.check()
    if (ageSeconds === undefined && marked === 0) return 'idle'
    const {
      published,
      hasMore: more,
      failure,
    } = await inWorkerTransaction(database.worker, async (client) => {
      if (!(await lockOutbox(client, shard))) return { published: 0, hasMore: false }
      return publishBatch({ client, bus, shard, service, log, signal })
    })
    metrics.count('outbox_published_total', labels, published)
    if (failure === undefined) return more ? 'more' : 'idle'
    // The stream may be the reason: it is looked at before the next try.
    watch.invalidate()
    throw failure
  }

  const name = shard === '' ? `relay of ${service}` : `relay of ${service} to ${shard}`
  return { bus, watch, loop: createLoop({ name, pass, pollMs, log }) }
}
