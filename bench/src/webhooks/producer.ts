// A service that produces events: commits them to its outbox at a given rate and runs a replica of its relay.
import type { RequestCaller } from '@wp/contracts'
import { connectDatabase, newId } from '@wp/database'
import { connectBus, createRelay, findOrCreateStream } from '@wp/events'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'
import { atFixedRate, sendOnSchedule } from '../harness/open-loop.ts'

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
await findOrCreateStream(bus)
const urls = { url: DATABASE_URL, workerUrl: DATABASE_WORKER_URL }
const database = connectDatabase({ ...urls, prisma: () => ({}), shard: SHARD, poolSize: 8, log })
const relay = createRelay({ database, bus, service: 'solutions', log })
await relay.start()

serveCalls({
  async commit({ workspaces, count, perSecond }: CommitOptions): Promise<Committed> {
    const ids = Array.from({ length: count }, () => newId('rec'))
    const committed = { ids, dueMs: new Float64Array(count), committedMs: new Float64Array(count) }
    const send = async (index: number) => {
      await commit(workspaces[index % workspaces.length] ?? '', ids[index] ?? '')
      committed.committedMs[index] = sharedClockMs()
      return 200
    }
    const startMs = sharedClockMs()
    if (perSecond === undefined) await mapConcurrently([...ids.keys()], 8, send)
    else {
      committed.dueMs.forEach((_, index, dueMs) => {
        dueMs[index] = startMs + (index / perSecond) * 1_000
      })
      const outcomes = await sendOnSchedule(atFixedRate(perSecond, count / perSecond), { send })
      const failed = outcomes.find(({ status }) => status !== 200)
      if (failed !== undefined) throw new Error(`an event was not committed: ${failed.status}`)
    }
    return committed
  },
})

function commit(workspaceId: string, id: string): Promise<void> {
  const caller: RequestCaller = {
    principal: { id: 'svc', type: 'service' },
    credentialId: 'svc',
    scopes: [],
    workspaceId,
    shard: SHARD,
    location: 'BENCH',
    requestId: 'req-bench-webhooks',
  }
  const recommendation = { id, status: 'open', forecast_run_id: id, kind: 'capacity', title: 'x'.repeat(200) } as const
  const data = { ...recommendation, saving: null, scenario_id: null }
  return database.transact(caller, async (tx) => tx.emit({ kind: 'RECOMMENDATION_CREATED', data }))
}
