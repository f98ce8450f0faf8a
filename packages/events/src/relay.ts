import type { Database, Log } from '@wp/database'
import type { Bus } from './bus.ts'
import { createLoop } from './loop.ts'
import { lockOutbox, oldestUnpublished } from './outbox.ts'
import { publishOldest } from './publish.ts'
import { createStreamWatch } from './stream-watch.ts'
import { type Metrics, noMetrics, type Worker } from './worker.ts'
import { inWorkerTransaction } from './worker-transaction.ts'

export interface RelayOptions {
  database: Pick<Database, 'worker' | 'onWake'>
  bus: Bus
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
 * database's wakes, of all queues, to every replica.
 */
export function createRelay(options: RelayOptions): Worker {
  const { database, bus, service, log, metrics = noMetrics, pollMs = 1_000, streamCheckMs = 5_000 } = options
  const watch = createStreamWatch({ worker: database.worker, bus, log, everyMs: streamCheckMs })
  const loop = createLoop({ name: `relay of ${service}`, pass, pollMs, log })
  let ends: (() => void)[] = []

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const ageSeconds = await oldestUnpublished(database.worker)
    metrics.gauge('outbox_oldest_seconds', ageSeconds ?? 0)
    metrics.gauge('bus_connected', bus.connected ? 1 : 0)
    if (!bus.connected) return 'idle'
    const marked = await watch.look()
    if (ageSeconds === undefined && marked === 0) return 'idle'
    const { published, more, failure } = await inWorkerTransaction(database.worker, async (client) => {
      if (!(await lockOutbox(client))) return { published: 0, more: false }
      return publishOldest({ client, bus, service, log, signal })
    })
    metrics.count('outbox_published_total', {}, published)
    if (failure === undefined) return more ? 'more' : 'idle'
    // The stream may be the reason: it is looked at before the next try.
    watch.doubt()
    throw failure
  }

  return {
    name: loop.name,
    async start() {
      ends = [
        database.onWake((queue) => bus.wake(service, queue)),
        bus.onWake(service, 'outbox', loop.wake),
        bus.onReconnect(loop.retry),
        watch.start(),
      ]
      await loop.start()
    },
    async stop() {
      for (const end of ends) end()
      await loop.stop()
    },
  }
}
