import { join } from 'node:path'
import { testAuthority } from '@wp/testkit'
import { startHelper } from '../harness/helper-process.ts'
import { cpuPerRequest, type MeteredProcess, meteredProcess, startMeter } from '../harness/process-usage.ts'
import type { Row } from '../harness/report.ts'
import { alternate } from '../harness/statistics.ts'
import { addBacklog, countReceived, enableSubscriptions, sampleBody, waitForDeliveries } from './backlog.ts'
import type { BaselineRequest } from './baseline-client.ts'
import type { BenchSubscription, DeliveryFleet } from './delivery-fleet.ts'

/** The cost of deliveries, per delivery. */
export interface Cost extends Row {
  deliveries: number
  'deliveries/s': number
  /** Processor time of the sending process. */
  'CPU µs': number
  /** Deliveries per second if the sending process had one core for itself. */
  'per core': number
}

/** Measures, in turn, an undici loop and the delivery of a backlog of many endpoints. @returns the costs by round */
export async function measureThroughput(
  fleet: DeliveryFleet,
  { endpoints, each, rounds }: { endpoints: number; each: number; rounds: number },
): Promise<{ baseline: Cost[]; backlog: Cost[] }> {
  const subscriptions: BenchSubscription[] = []
  for (let index = 0; index < endpoints; index += 1) subscriptions.push(await fleet.subscribe('/ok'))
  const baseline = await startHelper(join(import.meta.dirname, 'baseline-client.ts'), {
    CA: testAuthority().certificate,
  })
  const count = endpoints * each
  const url = fleet.receiver.url('/baseline')
  const baselineRequest: BaselineRequest = { url, body: sampleBody, count, connections: 64 }
  const postBaseline = () =>
    measureCost([meteredProcess('delivery', baseline)], count, () => baseline.call('post', baselineRequest))
  const deliverBacklog = async () => {
    await addBacklog(fleet, subscriptions, each)
    return await measureCost(fleet.processes, count, async () => {
      const received = await countReceived(fleet)
      await enableSubscriptions(fleet, subscriptions)
      await waitForDeliveries(fleet, received + count)
    })
  }
  const works = [postBaseline, deliverBacklog]
  try {
    for (const work of works) await work() // warms up code and connections of both
    const costs = await alternate(works, rounds, (work) => work())
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
  const workspaces: string[] = []
  for (let index = 0; index < size.workspaces; index += 1) {
    const { workspaceId } = await fleet.subscribe('/ok')
    workspaces.push(workspaceId)
    for (let other = 1; other < subscriptions; other += 1) await fleet.subscribe('/ok', workspaceId)
  }
  const count = events * subscriptions
  const received = await countReceived(fleet)
  const cost = await measureCost(fleet.processes, count, async () => {
    await fleet.producer.call('commit', { workspaces, count: events })
    await waitForDeliveries(fleet, received + count)
  })
  return { workspaces: size.workspaces, 'subscriptions of each': subscriptions, ...cost }
}

/** @param processes the first one sends */
async function measureCost(
  processes: readonly MeteredProcess[],
  deliveries: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const readUsage = startMeter(processes)
  await work()
  const usage = readUsage()
  const cpuOf = (name: string) => 1_000 * cpuPerRequest(usage, name, deliveries)
  const [sender, ...others] = new Set(processes.map(({ name }) => name))
  const cpu = cpuOf(sender ?? '')
  return {
    deliveries,
    'deliveries/s': Math.round(deliveries / usage.seconds),
    'CPU µs': cpu,
    'per core': Math.round(1e6 / cpu),
    ...Object.fromEntries(others.map((name) => [`${name} CPU µs`, cpuOf(name)])),
  }
}
