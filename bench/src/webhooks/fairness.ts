import { setTimeout as pause } from 'node:timers/promises'
import { alternate } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions } from './backlog.ts'
import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'
import { type Latency, measureLatency } from './latency.ts'

type Fairness = Latency & {
  'due deliveries': number
  'hanging requests': number
  'alternating requests': number
}

interface FairnessSize {
  /** Due deliveries of the endpoint that never responds. */
  backlog: number
  /** Endpoints that alternate between success and failure. */
  alternating: number
  perSecond: number
  seconds: number
  rounds: number
}

/**
 * Measures the latency of healthy endpoints next to the alternating ones, in turn while these are healthy, and while
 * they alternate and another endpoint with a backlog never responds. Both cases have the same number of events.
 */
export async function measureFairness(
  fleet: DeliveryFleet,
  { backlog, alternating, perSecond, seconds, rounds }: FairnessSize,
): Promise<Record<'healthy' | 'failing', Fairness[]>> {
  const healthyWorkspaces = await subscribe(fleet, 20, () => '/ok')
  const otherWorkspaces = await subscribe(fleet, alternating, (index) => `/alternate/${index}`)
  const hanging = await fleet.subscribe('/hang')
  await fleet.addProducer()
  const load = { workspaces: healthyWorkspaces, perSecond, seconds }
  const measure = async (isHealthy: boolean): Promise<Fairness> => {
    await setHealth(fleet, hanging, isHealthy)
    const before = [await countReceived(fleet, 'hang'), await countReceived(fleet, 'alternate')] as const
    const otherLoad = { workspaces: otherWorkspaces, perSecond, count: perSecond * seconds }
    const otherEvents = fleet.producers[1]?.call('commit', otherLoad)
    const latency = await measureLatency(fleet, load)
    await otherEvents
    return {
      'due deliveries': await countDue(fleet),
      'hanging requests': (await countReceived(fleet, 'hang')) - before[0],
      'alternating requests': (await countReceived(fleet, 'alternate')) - before[1],
      ...latency,
    }
  }
  await measureLatency(fleet, { ...load, seconds: 2 }) // warms up code and connections
  await addBacklog(fleet, [hanging], backlog)
  const results = await alternate([true, false], rounds, measure)
  return { healthy: results.get(true) ?? [], failing: results.get(false) ?? [] }
}

/** @returns the workspaces of the new subscriptions */
async function subscribe(fleet: DeliveryFleet, count: number, path: (index: number) => string): Promise<string[]> {
  const workspaces: string[] = []
  for (let index = 0; index < count; index += 1) workspaces.push((await fleet.subscribe(path(index))).workspaceId)
  return workspaces
}

async function countDue(fleet: DeliveryFleet): Promise<number> {
  const { rows } = await fleet.sql.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()`,
  )
  return rows[0]?.due ?? 0
}

/** Enables or disables the failures, and waits until requests that were in flight have ended. */
async function setHealth(fleet: DeliveryFleet, hanging: BenchSubscription, isHealthy: boolean): Promise<void> {
  await fleet.receiver.call('setAlternating', !isHealthy)
  await fleet.sql.query('UPDATE endpoints SET enabled = $2 WHERE webhook_id = $1', [hanging.id, !isHealthy])
  if (!isHealthy) await enableSubscriptions(fleet, [hanging])
  await pause(1_500)
}
