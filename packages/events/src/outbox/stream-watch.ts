import { type Database, inWorkerTransaction } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { findOrCreateStream } from '../bus/stream.ts'
import { lockOutbox } from './outbox-table.ts'
import { markForRepublish } from './republish.ts'

export interface StreamWatch {
  /** @returns a function that ends it */
  start(): () => void
  /**
   * Looks at the stream when that is due: after each arrival of the broker, when in doubt, and from time to time; makes
   * it where it is missing.
   * @returns how many events must be published again
   * @throws BrokerAway; Error when the stream is not as it is relied on
   */
  check(): Promise<number>
  /** Something went wrong: the next look is due. */
  invalidate(): void
}

/** Notices that the broker, or what it stored, is not what was published to. */
export function createStreamWatch(options: {
  worker: Database['worker']
  bus: Bus
  /** Whose events go there; empty: the service's own. */
  shard: string
  log: Log
  everyMs: number
}): StreamWatch {
  const { worker, bus, shard, log, everyMs } = options
  let arrival = { reconnected: false, at: performance.now() }
  let hasConnected = false
  let checked: { connection: object; createdAt: string } | undefined
  let dueAt = 0

  async function look(): Promise<number> {
    const current = arrival
    hasConnected = true
    if (checked?.connection === current && performance.now() < dueAt) return 0
    const { config, created } = await findOrCreateStream(bus)
    dueAt = performance.now() + everyMs
    if (checked?.connection === current && checked.createdAt === created) return 0

    const stream = { name: config.name, createdAt: created, serverId: bus.jetstream.broker().serverId }
    const reconnected = current.reconnected && checked?.connection !== current
    const marked = await inWorkerTransaction(worker, async (client) => {
      if (!(await lockOutbox(client, shard))) return undefined
      return markForRepublish(client, shard, stream, { reconnected, msAgo: performance.now() - current.at })
    })
    // Another replica has the outbox: come back with the next pass.
    if (marked === undefined) return 0
    checked = { connection: current, createdAt: created }
    // The last minutes are sent again after every restart of the broker, in case; a stream made anew has lost them all.
    const message = 'the broker may have lost events; they are published again'
    if (marked.loss === 'storage' && marked.events > 0) log.warn(marked, message)
    else if (marked.events > 0) log.info?.(marked, message)
    return marked.events
  }

  return {
    check: look,
    invalidate() {
      dueAt = 0
    },
    start() {
      hasConnected = bus.isConnected
      arrival = { reconnected: false, at: performance.now() }
      return bus.onConnect(() => {
        arrival = { reconnected: hasConnected, at: performance.now() }
        hasConnected = true
      })
    },
  }
}
