import { execFileSync } from 'node:child_process'
import { testAuthority } from '@wp/testkit'
import { cpuMicroseconds } from '../edge/process-usage.ts'
import type { BaselineRequest } from './baseline-client.ts'
import {
  type BenchSubscription,
  type DeliveryFleet,
  sampleBody,
  sampleHeaders,
  waitForDeliveries,
} from './delivery-fleet.ts'
import { startHelper } from './helper-process.ts'

export interface Cost {
  what: string
  deliveries: number
  'deliveries/s': number
  /** Of the sending process alone. */
  'CPU µs': number
  'per core': number
  /** Of PostgreSQL, beside it. */
  'database CPU µs': number
  transactions: number
}

/** A backlog of many endpoints, a bare loop, and again. */
export async function measureThroughput(
  world: DeliveryFleet,
  { endpoints, each, rounds }: { endpoints: number; each: number; rounds: number },
) {
  const webhooks = await subscribeMany(world, endpoints)
  const bare = await startHelper('baseline-client.ts', { CA: testAuthority().certificate })
  const count = endpoints * each
  const costs: Cost[] = []
  const measure = async (what: string, pid: number | undefined, work: () => Promise<unknown>) => {
    const [own, database, transactions] = [cpuMicroseconds(pid), databaseCpu(world), await countTransactions(world)]
    const began = performance.now()
    await work()
    const seconds = (performance.now() - began) / 1000
    const cpu = (cpuMicroseconds(pid) - own) / count
    costs.push({
      what,
      deliveries: count,
      'deliveries/s': Math.round(count / seconds),
      'CPU µs': cpu,
      'per core': Math.round(1e6 / cpu),
      'database CPU µs': (databaseCpu(world) - database) / count,
      transactions: (await countTransactions(world)) - transactions,
    })
  }
  try {
    const post: BaselineRequest = {
      url: world.url('/bare'),
      headers: sampleHeaders,
      body: sampleBody,
      count,
      connections: 64,
    }
    // Both are compiled by then.
    await bare.call('post', post)
    await deliver(world, webhooks, each)
    for (let round = 0; round < rounds; round += 1) {
      await measure('bare undici loop', bare.pid, () => bare.call('post', post))
      await world.addBacklog(webhooks, each)
      await measure('delivered from a backlog', world.delivery.pid, () => deliverBacklog(world, webhooks, count))
    }
  } finally {
    await bare.stop()
  }
  return costs
}

/** Events that are committed as fast as they can be, to several subscriptions each: fan-out included. */
export async function measureFanOut(
  world: DeliveryFleet,
  { events, subscriptions }: { events: number; subscriptions: number },
): Promise<Cost> {
  const workspaces: string[] = []
  for (let index = 0; index < 5; index += 1) {
    const { workspaceId } = await world.subscribe('/ok')
    workspaces.push(workspaceId)
    for (let more = 1; more < subscriptions; more += 1) await world.subscribe('/ok', workspaceId)
  }
  const count = events * subscriptions
  const before = await world.receiver.call<number>('count', 'ok')
  const [own, database, transactions] = [
    cpuMicroseconds(world.delivery.pid),
    databaseCpu(world),
    await countTransactions(world),
  ]
  const began = performance.now()
  await world.producers[0]?.call('commit', { workspaces, count: events })
  await waitForDeliveries(world, before + count)
  const seconds = (performance.now() - began) / 1000
  const cpu = (cpuMicroseconds(world.delivery.pid) - own) / count
  return {
    what: `fanned out to ${subscriptions} and delivered`,
    deliveries: count,
    'deliveries/s': Math.round(count / seconds),
    'CPU µs': cpu,
    'per core': Math.round(1e6 / cpu),
    'database CPU µs': (databaseCpu(world) - database) / count,
    transactions: (await countTransactions(world)) - transactions,
  }
}

/** Transactions of the delivery service's database so far; sessions say so about once a second. */
async function countTransactions({ sql }: DeliveryFleet): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const { rows } = await sql.query<{ count: number }>(
    'SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()',
  )
  return rows[0]?.count ?? 0
}

async function subscribeMany(world: DeliveryFleet, count: number): Promise<BenchSubscription[]> {
  const webhooks: BenchSubscription[] = []
  for (let index = 0; index < count; index += 1) webhooks.push(await world.subscribe('/ok'))
  return webhooks
}

async function deliver(world: DeliveryFleet, webhooks: readonly BenchSubscription[], each: number): Promise<void> {
  await world.addBacklog(webhooks, each)
  await deliverBacklog(world, webhooks, webhooks.length * each)
}

async function deliverBacklog(
  world: DeliveryFleet,
  webhooks: readonly BenchSubscription[],
  count: number,
): Promise<void> {
  const before = await world.receiver.call<number>('count', 'ok')
  await world.enable(webhooks)
  await waitForDeliveries(world, before + count)
}

/** Of all processes of the server, those that have ended included. */
function databaseCpu(world: DeliveryFleet): number {
  const port = new URL(world.postgresUrl).port
  const pids = execFileSync('pgrep', ['-f', `port=${port}`])
    .toString()
    .trim()
    .split('\n')
  return pids.reduce((sum, pid) => {
    const children = execFileSync('sh', ['-c', `pgrep -P ${pid} || true`])
      .toString()
      .trim()
      .split('\n')
      .filter(Boolean)
    return sum + [pid, ...children].reduce((own, each) => own + cpuOrNone(each), 0)
  }, 0)
}

function cpuOrNone(pid: string): number {
  try {
    return cpuMicroseconds(Number(pid))
  } catch {
    return 0
  }
}
