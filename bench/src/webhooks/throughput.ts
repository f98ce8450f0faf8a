import { join } from 'node:path'
import { testAuthority } from '@wp/testkit'
import { startHelper } from '../harness/helper-process.ts'
import { meteredProcess } from '../harness/process-usage.ts'
import type { Row } from '../harness/report.ts'
import { alternate } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions, sampleBody, waitForDeliveries } from './backlog.ts'
import type { BaselineRequest } from './baseline-client.ts'
import { type Cost, measureCost } from './cost.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'

/** Measures, in turn, an undici loop and the delivery of a backlog of many endpoints. @returns the costs by round */
export async function measureThroughput(
  fleet: DeliveryFleet,
  { endpoints, each, rounds }: { endpoints: number; each: number; rounds: number },
): Promise<{ baseline: Cost[]; backlog: Cost[] }> {
  const subscriptions = await fleet.subscribeEach(endpoints)
  const baseline = await startHelper(join(import.meta.dirname, 'baseline-client.ts'), {
    CA: testAuthority().certificate,
  })
  const count = endpoints * each
  const url = fleet.receiver.url('/baseline')
  const baselineRequest: BaselineRequest = { url, body: sampleBody, count, connections: 64 }
  const client = { processes: [meteredProcess('delivery', baseline)], sql: fleet.sql }
  const postBaseline = () => measureCost(client, count, () => baseline.call('post', baselineRequest))
  const deliverBacklog = async () => {
    await addBacklog(fleet, subscriptions, each)
    return await measureCost(fleet, count, async () => {
      const received = await countReceived(fleet)
      await enableSubscriptions(fleet, subscriptions)
      await waitForDeliveries(fleet, received + count)
    })
  }
  const works = [postBaseline, deliverBacklog]
  try {
    for (const work of works) await work() // warms up code and connections of both
    const costs = await alternate(works, rounds, async (work) => (await work()).cost)
    return { baseline: costs.get(postBaseline) ?? [], backlog: costs.get(deliverBacklog) ?? [] }
  } finally {
    await baseline.stop()
  }
}

/** Measures events that are committed as fast as possible, each fanned out to several subscriptions. */
export async function measureFanOut(
  fleet: DeliveryFleet,
  size: { events: number; subscriptions: number; workspaces: number },
): Promise<Row> {
  const { events, subscriptions } = size
  const workspaces = (await fleet.subscribeEach(size.workspaces)).map(({ workspaceId }) => workspaceId)
  for (const workspaceId of workspaces)
    for (let other = 1; other < subscriptions; other += 1) await fleet.subscribe('/ok', workspaceId)
  const count = events * subscriptions
  const received = await countReceived(fleet)
  const { cost } = await measureCost(fleet, count, async () => {
    await fleet.producer.call('commit', { workspaces, count: events })
    await waitForDeliveries(fleet, received + count)
  })
  return { workspaces: size.workspaces, 'subscriptions of each': subscriptions, deliveries: count, ...cost }
}
