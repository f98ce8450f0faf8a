// A producing service: commits events with its outbox at a given pace, and runs a replica of its relay.
import { setTimeout as pass } from 'node:timers/promises'
import type { RequestCaller } from '@wp/contracts'
import { connectDatabase, newId } from '@wp/database'
import { connectBus, createRelay, ensureStream } from '@wp/events'
import { answer, sharedClockMs } from './helper-process.ts'

/** What was committed: what each event is about, when it was meant to be, and when the database had said it was. */
export interface Committed {
  ids: string[]
  intendedMs: Float64Array
  committedMs: Float64Array
}

export interface Pace {
  /** In turn. */
  workspaces: readonly string[]
  count: number
  /** Events a second; as fast as it goes where there is none. */
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

answer({
  async commit({ workspaces, count, perSecond }: Pace): Promise<Committed> {
    const made = { ids: [] as string[], intendedMs: new Float64Array(count), committedMs: new Float64Array(count) }
    const beganMs = sharedClockMs()
    const underWay = new Set<Promise<void>>()
    for (let index = 0; index < count; index += 1) {
      const intendedMs = beganMs + (perSecond === undefined ? 0 : (index / perSecond) * 1000)
      const waitMs = intendedMs - sharedClockMs()
      if (waitMs > 0) await pass(waitMs)
      if (perSecond === undefined && underWay.size >= 8) await Promise.race(underWay)
      const id = newId('rec')
      made.ids.push(id)
      made.intendedMs[index] = intendedMs
      const work = commit(workspaces[index % workspaces.length] ?? '', id).then(() => {
        made.committedMs[index] = sharedClockMs()
        underWay.delete(work)
      })
      underWay.add(work)
    }
    await Promise.all(underWay)
    return made
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
      data: { id, status: 'open', forecast_run_id: id, kind: 'capacity', title: 'x'.repeat(200) },
    }),
  )
}
