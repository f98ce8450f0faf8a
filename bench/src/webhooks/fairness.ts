import { setTimeout as pause } from 'node:timers/promises'
import { alternate } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions } from './backlog.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import { type Latency, measureLatency } from './latency.ts'

type Fairness = Latency & { 'requests to the dead endpoint': number }

/**
 * Measures the latency of healthy endpoints, in turn while a dead endpoint, which never responds and has a backlog of
 * due deliveries, is disabled and while it is enabled.
 */
export async function measureFairness(
  fleet: DeliveryFleet,
  { backlog, perSecond, seconds, rounds }: Record<'backlog' | 'perSecond' | 'seconds' | 'rounds', number>,
): Promise<Record<'alone' | 'beside', Fairness[]>> {
  const workspaces: string[] = []
  for (let index = 0; index < 20; index += 1) workspaces.push((await fleet.subscribe('/ok')).workspaceId)
  const dead = await fleet.subscribe('/hang')
  const measure = async (isAlone: boolean): Promise<Fairness> => {
    await fleet.sql.query('UPDATE endpoints SET is_enabled = false WHERE webhook_id = $1', [dead.id])
    if (!isAlone) await enableSubscriptions(fleet, [dead])
    await pause(1_500) // until requests that were in flight have ended
    const before = await countReceived(fleet, 'hang')
    const latency = await measureLatency(fleet, { workspaces, perSecond, seconds })
    return { 'requests to the dead endpoint': (await countReceived(fleet, 'hang')) - before, ...latency }
  }
  await measureLatency(fleet, { workspaces, perSecond, seconds: 2 }) // warms up code and connections
  await addBacklog(fleet, [dead], backlog)
  const results = await alternate([true, false], rounds, measure)
  return { alone: results.get(true) ?? [], beside: results.get(false) ?? [] }
}
