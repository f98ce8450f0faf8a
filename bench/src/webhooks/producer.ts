// A service that produces events: commits them to its outbox at a given rate and runs a replica of its relay.
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestCaller } from '@wp/contracts'
import { connectDatabase, newId } from '@wp/database'
import { connectBus, createRelay, ensureStream } from '@wp/events'
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'

/** The committed events. Times are of `sharedClockMs`. */
export interface Committed {
  /** The `id` of each payload. */
  ids: string[]
  dueMs: Float64Array
  /** Time at which the commit returned. */
  committedMs: Float64Array
}

export interface CommitOptions {
  /** Used in turn. */
  workspaces: readonly string[]
  count: number
  /** Without it, events are committed as fast as possible. */
  perSecond?: number
}

const log = { warn() {}, error() {} }
const { DATABASE_URL = '', DATABASE_WORKER_URL = '', NATS_URL = '', SHARD = '' } = process.env
const bus = await connectBus({ servers: NATS_URL, name: 'producer', shard: SHARD, log })
await ensureStream(bus)
const database = connectDatabase({
  url: DATABASE_URL,
  workerUrl: DATABASE_WORKER_URL,
  prisma: () => ({}),
  shard: SHARD,
  poolSize: 8,
  log,
})
const relay = createRelay({ database, bus, service: 'solutions', log })
await relay.start()

serveCalls({
  async commit({ workspaces, count, perSecond }: CommitOptions): Promise<Committed> {
    const committed = { ids: [] as string[], dueMs: new Float64Array(count), committedMs: new Float64Array(count) }
    const startMs = sharedClockMs()
    const inFlight = new Set<Promise<void>>()
    for (let index = 0; index < count; index += 1) {
      const dueMs = startMs + (perSecond === undefined ? 0 : (index / perSecond) * 1000)
      const waitMs = dueMs - sharedClockMs()
      if (waitMs > 0) await pause(waitMs)
      if (perSecond === undefined && inFlight.size >= 8) await Promise.race(inFlight)
      const id = newId('rec')
      committed.ids.push(id)
      committed.dueMs[index] = dueMs
      const work = commit(workspaces[index % workspaces.length] ?? '', id).then(() => {
        committed.committedMs[index] = sharedClockMs()
        inFlight.delete(work)
      })
      inFlight.add(work)
    }
    await Promise.all(inFlight)
    return committed
  },
})

function commit(workspaceId: string, id: string): Promise<void> {
  const caller: RequestCaller = {
    principal: { id: 'svc', type: 'service' },
    credentialId: 'svc',
    workspaceId,
    shard: SHARD,
    location: 'BENCH',
    scopes: [],
    requestId: 'req-bench-webhooks',
  }
  return database.transact(caller, async (tx) =>
    tx.emit({
      kind: 'RECOMMENDATION_CREATED',
      data: {
        ...{ id, status: 'open', forecast_run_id: id, kind: 'capacity', title: 'x'.repeat(200) },
        ...{ saving: null, scenario_id: null },
      },
    }),
  )
}
