import { collectArrivals } from '../harness/fleet.ts'
import { percentileColumns, percentiles } from '../harness/statistics.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import type { Committed } from './producer.ts'

/** Milliseconds from the commit to the receiver; `p95 ms from due` counts from the time the commit was due. */
export type Latency = { events: number; 'p95 ms from due': number } & ReturnType<typeof percentileColumns>

/** Commits events of the workspaces in turn, at a fixed rate, and waits until all have arrived at the receiver. */
export async function measureLatency(
  { producer, receiver }: DeliveryFleet,
  { workspaces, perSecond, seconds }: { workspaces: readonly string[]; perSecond: number; seconds: number },
): Promise<Latency> {
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
