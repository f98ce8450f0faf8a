import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { testAuthority } from '@wp/testkit'
import { cpuMicroseconds } from '../edge/process-usage.ts'
import { startHelper } from '../harness/helper-process.ts'
import { addBacklog, countReceived, enableSubscriptions, waitForDeliveries } from './backlog.ts'
import type { BaselineRequest } from './baseline-client.ts'
import { type BenchSubscription, type DeliveryFleet, postgresProcess } from './delivery-fleet.ts'
import { sampleBody, sampleHeaders } from './sample-delivery.ts'

/** The cost of deliveries, per delivery unless stated otherwise. */
export interface Cost {
  name: string
  deliveries: number
  'deliveries/s': number
  /** Processor time of the sending process. */
  'CPU µs': number
  /** Deliveries per second if the sending process had one core for itself. */
  'per core': number
  /** Processor time of PostgreSQL. */
  'database CPU µs': number
  /** Processor time of the processes that commit and publish events. */
  'producer CPU µs': number
  'broker CPU µs': number
  /** Transactions in the delivery service's database, in total. */
  transactions: number
}

/** Measures, in turn, an undici loop and the delivery of a backlog of many endpoints. */
export async function measureThroughput(
  fleet: DeliveryFleet,
  { endpoints, each, rounds }: { endpoints: number; each: number; rounds: number },
): Promise<Cost[]> {
  const subscriptions: BenchSubscription[] = []
  for (let index = 0; index < endpoints; index += 1) subscriptions.push(await fleet.subscribe('/ok'))
  const baseline = await startHelper(join(import.meta.dirname, 'baseline-client.ts'), {
    CA: testAuthority().certificate,
  })
  const count = endpoints * each
  const baselineRequest: BaselineRequest = {
    url: fleet.url('/baseline'),
    headers: sampleHeaders,
    body: sampleBody,
    count,
    connections: 64,
  }
  const postBaseline = () => baseline.call('post', baselineRequest)
  const deliverBacklog = async () => {
    const received = await countReceived(fleet)
    await enableSubscriptions(fleet, subscriptions)
    await waitForDeliveries(fleet, received + count)
  }
  const costs: Cost[] = []
  try {
    // warms up code and connections of both
    await postBaseline()
    await addBacklog(fleet, subscriptions, each)
    await deliverBacklog()
    for (let round = 0; round < rounds; round += 1) {
      costs.push(await measureCost(fleet, 'undici loop', baseline.pid, count, postBaseline))
      await addBacklog(fleet, subscriptions, each)
      costs.push(await measureCost(fleet, 'deliveries of a backlog', fleet.delivery.pid, count, deliverBacklog))
    }
  } finally {
    await baseline.stop()
  }
  return costs
}

/** Measures events that are committed as fast as possible, each fanned out to several subscriptions. */
export async function measureFanOut(
  fleet: DeliveryFleet,
  size: { events: number; subscriptions: number; workspaces: number },
): Promise<Cost> {
  const { events, subscriptions } = size
  const workspaces: string[] = []
  for (let index = 0; index < size.workspaces; index += 1) {
    const { workspaceId } = await fleet.subscribe('/ok')
    workspaces.push(workspaceId)
    for (let other = 1; other < subscriptions; other += 1) await fleet.subscribe('/ok', workspaceId)
  }
  const count = events * subscriptions
  const received = await countReceived(fleet)
  const name = `fan-out to ${subscriptions} in ${size.workspaces} workspaces and delivery`
  return await measureCost(fleet, name, fleet.delivery.pid, count, async () => {
    await fleet.producers[0]?.call('commit', { workspaces, count: events })
    await waitForDeliveries(fleet, received + count)
  })
}

/** @param pid the sending process */
async function measureCost(
  fleet: DeliveryFleet,
  name: string,
  pid: number | undefined,
  deliveries: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const transactionsBefore = await countTransactions(fleet)
  const databaseCpuBefore = databaseCpuMicroseconds(fleet)
  const producerPids = fleet.producers.map((producer) => producer.pid)
  const producerCpuBefore = cpuOfAll(producerPids)
  const brokerCpuBefore = cpuOfAll([fleet.brokerPid])
  const cpuBefore = cpuMicroseconds(pid)
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = (cpuMicroseconds(pid) - cpuBefore) / deliveries
  return {
    name,
    deliveries,
    'deliveries/s': Math.round(deliveries / seconds),
    'CPU µs': cpu,
    'per core': Math.round(1e6 / cpu),
    'database CPU µs': (databaseCpuMicroseconds(fleet) - databaseCpuBefore) / deliveries,
    'producer CPU µs': (cpuOfAll(producerPids) - producerCpuBefore) / deliveries,
    'broker CPU µs': (cpuOfAll([fleet.brokerPid]) - brokerCpuBefore) / deliveries,
    transactions: (await countTransactions(fleet)) - transactionsBefore,
  }
}

/** Returns the committed transactions in the delivery service's database. */
async function countTransactions({ sql }: DeliveryFleet): Promise<number> {
  // Sessions report their statistics about once per second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const { rows } = await sql.query<{ count: number }>(
    'SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()',
  )
  return rows[0]?.count ?? 0
}

/** Returns the processor time of the PostgreSQL server and its running child processes. */
function databaseCpuMicroseconds(fleet: DeliveryFleet): number {
  const server = postgresProcess(fleet)
  return cpuOfAll([server, ...outputLines('sh', '-c', `pgrep -P ${server} || true`).map(Number)])
}

const cpuOfAll = (pids: readonly (number | undefined)[]): number =>
  pids.reduce<number>((sum, pid) => sum + cpuIfRunning(pid), 0)

const outputLines = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args).toString().split('\n').filter(Boolean)

function cpuIfRunning(pid: number | undefined): number {
  try {
    return cpuMicroseconds(pid)
  } catch {
    return 0
  }
}
