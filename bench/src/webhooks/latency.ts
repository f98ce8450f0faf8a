import { setTimeout as pause } from 'node:timers/promises'
import { sharedClockMs } from '../harness/helper-process.ts'
import { percentileColumns, percentiles } from '../harness/statistics.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import type { Committed } from './producer.ts'
import type { Arrivals } from './receiver.ts'

/** Milliseconds from the commit to the receiver; `p95 ms from due` counts from the time the commit was due. */
export type Latency = { events: number; 'p95 ms from due': number } & ReturnType<typeof percentileColumns>

interface LatencyLoad {
  /** Used in turn. */
  workspaces: readonly string[]
  perSecond: number
  seconds: number
}

/** Commits events at a fixed rate and waits until all of them have arrived at the receiver. */
export async function measureLatency(
  { producer, receiver }: DeliveryFleet,
  { workspaces, perSecond, seconds }: LatencyLoad,
): Promise<Latency> {
  const count = Math.ceil(perSecond * seconds)
  await receiver.call('takeArrivals', 'ok')
  const committed = await producer.call<Committed>('commit', { workspaces, perSecond, count })
  const arrivedMs = new Map<string, number>()
  const deadlineMs = sharedClockMs() + 60_000
  while (committed.ids.some((id) => !arrivedMs.has(id))) {
    if (sharedClockMs() > deadlineMs) throw new Error('some events did not arrive')
    const { ids, atMs } = await receiver.call<Arrivals>('takeArrivals', 'ok')
    // An event may be delivered more than once; the first arrival counts.
    for (const [index, id] of ids.entries()) if (!arrivedMs.has(id)) arrivedMs.set(id, atMs[index] ?? Number.NaN)
    await pause(50)
  }
  const since = (from: Float64Array) =>
    percentiles(committed.ids.map((id, index) => (arrivedMs.get(id) ?? Number.NaN) - (from[index] ?? Number.NaN)))
  return {
    events: count,
    ...percentileColumns(since(committed.committedMs)),
    'p95 ms from due': since(committed.dueMs).p95,
  }
}
