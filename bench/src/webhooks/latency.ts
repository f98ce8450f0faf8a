import { sharedClockMs } from '../harness/helper-process.ts'
import { startMeter } from '../harness/process-meter.ts'
import { quantile } from '../harness/statistics.ts'
import { type DeliveryFleet, serverProcesses } from './delivery-fleet.ts'
import type { Committed } from './producer.ts'
import type { Arrivals } from './receiver.ts'

/** Milliseconds from the commit to the receiver; `p95 ms from due` counts from the time the commit was due. */
export interface Latency {
  events: number
  'p50 ms': number
  'p95 ms': number
  'p99 ms': number
  'max ms': number
  'p95 ms from due': number
}

/** Milliseconds of processor time per event; of the producers, all together. */
type ProcessorTime = Record<`${'producers' | 'delivery' | 'database' | 'broker'} CPU ms`, number>

/** As `measureLatency`, and what the events cost. */
export async function measureLatencyAndCost(fleet: DeliveryFleet, load: LatencyLoad): Promise<Latency & ProcessorTime> {
  const producers = fleet.producers.map(({ pid }) => ({ name: 'producers', pid: pid ?? 0 }))
  const readUse = startMeter([...serverProcesses(fleet), ...producers])
  const latency = await measureLatency(fleet, load)
  const { processes } = readUse()
  const cpuOf = (name: string) =>
    processes.filter((process) => process.name === name).reduce((sum, { cpuMs }) => sum + cpuMs, 0) / latency.events
  return {
    ...latency,
    'producers CPU ms': cpuOf('producers'),
    'delivery CPU ms': cpuOf('delivery'),
    'database CPU ms': cpuOf('database'),
    'broker CPU ms': cpuOf('broker'),
  }
}

export interface LatencyLoad {
  /** Used in turn. */
  workspaces: readonly string[]
  perSecond: number
  seconds: number
}

/** Commits events at a fixed rate and waits until all of them have arrived at the receiver. */
export async function measureLatency(
  { producers: [producer], receiver }: DeliveryFleet,
  { workspaces, perSecond, seconds }: LatencyLoad,
): Promise<Latency> {
  const count = Math.ceil(perSecond * seconds)
  await receiver.call('takeArrivals', 'ok')
  const committed = await producer?.call<Committed>('commit', { workspaces, perSecond, count })
  if (committed === undefined) throw new Error('no producer')
  const arrivedMs = new Map<string, number>()
  const deadlineMs = sharedClockMs() + 60_000
  while (committed.ids.some((id) => !arrivedMs.has(id))) {
    if (sharedClockMs() > deadlineMs) throw new Error('some events did not arrive')
    const { ids, atMs } = await receiver.call<Arrivals>('takeArrivals', 'ok')
    // An event may be delivered more than once; the first arrival counts.
    for (const [index, id] of ids.entries()) if (!arrivedMs.has(id)) arrivedMs.set(id, atMs[index] ?? Number.NaN)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const latenciesSince = (from: Float64Array) =>
    committed.ids
      .map((id, index) => (arrivedMs.get(id) ?? Number.NaN) - (from[index] ?? Number.NaN))
      .sort((a, b) => a - b)
  const fromCommit = latenciesSince(committed.committedMs)
  return {
    events: count,
    'p50 ms': quantile(fromCommit, 0.5),
    'p95 ms': quantile(fromCommit, 0.95),
    'p99 ms': quantile(fromCommit, 0.99),
    'max ms': quantile(fromCommit, 1),
    'p95 ms from due': quantile(latenciesSince(committed.dueMs), 0.95),
  }
}
