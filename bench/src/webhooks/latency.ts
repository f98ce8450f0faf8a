import { setTimeout as pause } from 'node:timers/promises'
import type { RequestCaller } from '@wp/contracts'
import { connectDatabase, newId } from '@wp/database'
import { connectBus, createRelay, findOrCreateStream } from '@wp/events'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'
import { atFixedRate, sendOnSchedule } from '../harness/open-loop.ts'
import type { Row } from '../harness/report.ts'
import { alternate, percentileColumns, percentiles } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions } from './backlog.ts'
import { measureCost } from './cost.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import { collectArrivals } from './receiver.ts'

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

/** Measures latency and cost at rates. The first row is the cost of a second without events. */
export async function measureRates(fleet: DeliveryFleet, rates: readonly number[], seconds: number): Promise<Row[]> {
  const measure = await prepareLatency(fleet)
  const { cost: idle } = await measureCost(fleet, seconds, () => pause(seconds * 1_000))
  const rows: Row[] = [{ 'events/s': 0, ...idle }]
  for (const perSecond of rates) {
    const { result, cost } = await measureCost(fleet, Math.ceil(perSecond * seconds), () => measure(perSecond, seconds))
    rows.push({ 'events/s': perSecond, ...result, ...cost })
  }
  return rows
}

type Fairness = Latency & { 'requests to the dead endpoint': number }

/**
 * Measures the latency of healthy endpoints, in turn while a dead endpoint, which never responds and has a backlog of
 * due deliveries, is disabled and while it is enabled.
 */
export async function measureFairness(
  fleet: DeliveryFleet,
  { backlog, perSecond, seconds, rounds }: Record<'backlog' | 'perSecond' | 'seconds' | 'rounds', number>,
): Promise<Record<'alone' | 'beside', Fairness[]>> {
  const measureHealthy = await prepareLatency(fleet)
  const dead = await fleet.subscribe('/hang')
  const measure = async (isAlone: boolean): Promise<Fairness> => {
    await fleet.sql.query('UPDATE endpoints SET is_enabled = false WHERE webhook_id = $1', [dead.id])
    if (!isAlone) await enableSubscriptions(fleet, [dead])
    await pause(1_500) // until requests that were in flight have ended
    const before = await countReceived(fleet, 'hang')
    const latency = await measureHealthy(perSecond, seconds)
    return { 'requests to the dead endpoint': (await countReceived(fleet, 'hang')) - before, ...latency }
  }
  await addBacklog(fleet, [dead], backlog)
  const results = await alternate([true, false], rounds, measure)
  return { alone: results.get(true) ?? [], beside: results.get(false) ?? [] }
}

/** Milliseconds from the commit to the receiver; `p95 ms from due` counts from the time the commit was due. */
type Latency = { events: number; 'p95 ms from due': number } & ReturnType<typeof percentileColumns>

type MeasureLatency = (perSecond: number, seconds: number) => Promise<Latency>

/** Creates subscriptions of 20 workspaces, and warms up code and connections. */
async function prepareLatency(fleet: DeliveryFleet): Promise<MeasureLatency> {
  const workspaces = (await fleet.subscribeEach(20)).map(({ workspaceId }) => workspaceId)
  const measure: MeasureLatency = (perSecond, seconds) => measureLatency(fleet, workspaces, perSecond, seconds)
  await measure(100, 2)
  return measure
}

/** Commits events of the workspaces in turn, at a fixed rate, and waits until all have arrived at the receiver. */
async function measureLatency(
  { producer, receiver }: DeliveryFleet,
  workspaces: readonly string[],
  perSecond: number,
  seconds: number,
): ReturnType<MeasureLatency> {
  const count = Math.ceil(perSecond * seconds)
  await receiver.call('takeArrivals')
  const committed = await producer.call<Committed>('commit', { workspaces, perSecond, count })
  const arrivedMs = await collectArrivals(receiver, committed.ids, 60_000)
  if (arrivedMs.size < count) throw new Error('some events did not arrive')
  const since = (from: Float64Array) =>
    percentiles(committed.ids.map((id, index) => (arrivedMs.get(id) ?? Number.NaN) - (from[index] ?? Number.NaN)))
  return {
    events: count,
    ...percentileColumns(since(committed.committedMs)),
    'p95 ms from due': since(committed.dueMs).p95,
  }
}

/** The committed events. Times are of `sharedClockMs`. */
interface Committed {
  /** The `id` of each payload. */
  ids: string[]
  dueMs: Float64Array
  /** Time at which the commit returned. */
  committedMs: Float64Array
}

interface CommitOptions {
  /** Used in turn. */
  workspaces: readonly string[]
  count: number
  /** Without it, events are committed as fast as possible. */
  perSecond?: number
}

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
