import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from '../harness/report.ts'
import { alternate, percentileColumns, percentiles } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions } from './backlog.ts'
import { measureCost } from './cost.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import type { Committed } from './producer.ts'
import { collectArrivals } from './receiver.ts'

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
