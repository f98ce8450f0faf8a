import type { DeliveryFleet } from './delivery-fleet.ts'
import { sharedClockMs } from './helper-process.ts'
import type { Committed } from './producer.ts'
import type { Arrivals } from './receiver.ts'

/** Milliseconds from the commit to the receiver, and from when the commit should have begun. */
export interface Latency {
  events: number
  'p50 ms': number
  'p95 ms': number
  'p99 ms': number
  'max ms': number
  'p95 ms from intended': number
}

/** Commits events at a fixed pace, whatever becomes of them, and waits for all at the receiver. */
export async function measureLatency(
  { producers: [producer], receiver }: DeliveryFleet,
  pace: { workspaces: readonly string[]; perSecond: number; seconds: number },
): Promise<Latency> {
  const { workspaces, perSecond, seconds } = pace
  const count = Math.ceil(perSecond * seconds)
  await receiver.call('takeArrivals', 'ok')
  const committed = await producer?.call<Committed>('commit', { workspaces, perSecond, count })
  if (committed === undefined) throw new Error('there is no producer')
  const arrivedMs = new Map<string, number>()
  const endsAt = sharedClockMs() + 60_000
  while (committed.ids.some((id) => !arrivedMs.has(id))) {
    if (sharedClockMs() > endsAt) throw new Error('not every event arrived')
    const { ids, atMs } = await receiver.call<Arrivals>('takeArrivals', 'ok')
    // The first counts: what came twice was there by then.
    for (const [index, id] of ids.entries()) if (!arrivedMs.has(id)) arrivedMs.set(id, atMs[index] ?? Number.NaN)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const since = (from: Float64Array) =>
    committed.ids
      .map((id, index) => (arrivedMs.get(id) ?? Number.NaN) - (from[index] ?? Number.NaN))
      .sort((a, b) => a - b)
  const fromCommit = since(committed.committedMs)
  return {
    events: count,
    'p50 ms': quantile(fromCommit, 0.5),
    'p95 ms': quantile(fromCommit, 0.95),
    'p99 ms': quantile(fromCommit, 0.99),
    'max ms': quantile(fromCommit, 1),
    'p95 ms from intended': quantile(since(committed.intendedMs), 0.95),
  }
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
