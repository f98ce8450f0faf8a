import { addBacklog, countReceived, enableSubscriptions } from './backlog.ts'
import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'
import { type Latency, measureLatency } from './latency.ts'

export interface Fairness extends Latency {
  name: string
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
): Promise<Fairness[]> {
  const healthyWorkspaces = await subscribe(fleet, 20, () => '/ok')
  const otherWorkspaces = await subscribe(fleet, alternating, (index) => `/alternate/${index}`)
  const hanging = await fleet.subscribe('/hang')
  await fleet.addProducer()
  const load = { workspaces: healthyWorkspaces, perSecond, seconds }
  const rows: Fairness[] = []
  const measure = async (name: string) => {
    const [hangingBefore, alternatingBefore] = [
      await countReceived(fleet, 'hang'),
      await countReceived(fleet, 'alternate'),
    ]
    const otherLoad = { workspaces: otherWorkspaces, perSecond, count: perSecond * seconds }
    const otherEvents = fleet.producers[1]?.call('commit', otherLoad)
    const latency = await measureLatency(fleet, load)
    await otherEvents
    rows.push({
      name,
      'due deliveries': await countDue(fleet),
      'hanging requests': (await countReceived(fleet, 'hang')) - hangingBefore,
      'alternating requests': (await countReceived(fleet, 'alternate')) - alternatingBefore,
      ...latency,
    })
  }
  await measureLatency(fleet, { ...load, seconds: 2 }) // warms up code and connections
  await addBacklog(fleet, [hanging], backlog)
  for (let round = 0; round < rounds; round += 1) {
    await setHealth(fleet, hanging, true)
    await measure('next to healthy endpoints')
    await setHealth(fleet, hanging, false)
    await measure('next to failing endpoints')
  }
  return rows
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
  await new Promise((resolve) => setTimeout(resolve, 1_500))
}
