import { type DomainEvent, type Meter, meterProducers, usageRecorded } from '@wp/contracts'
import { inWorkerTransaction, newId, type Query } from '@wp/database'
import { type Bus, connectBus, eventSubject } from '@wp/events'
import { createTestDatabase, eventually, startTestFleet, startTestServers } from '@wp/testkit'
import { Pool } from 'pg'
import { addUsageEvents } from '../../services/billing/src/usage/add-usage-events.ts'
import { numericOptions } from './harness/options.ts'
import { report } from './harness/report.ts'

/** As the consumer takes them from the broker. */
const batchSize = 250
const workspaceCount = 1_000
const monthStart = Date.parse('2026-03-01T00:00:00Z')
const monthMs = 31 * 86_400_000

/**
 * Measures the aggregation of usage events. First the events of a month, of 1,000 workspaces, in the transactions of
 * the consumer: the inbox rows, the totals, the request of a check; with the time that each kind of statement takes.
 * Then further events from the broker by the running service, until all are in the totals.
 *
 * Options: events in transactions (default 5,000,000), events through the broker (default 200,000).
 */
export async function run(options: string[]): Promise<void> {
  const [events = 5_000_000, brokerEvents = 200_000] = numericOptions(options)
  const servers = await startTestServers()
  try {
    const aggregated = await measureTransactions(events)
    const consumed = await measureService(brokerEvents)
    report('billing', [aggregated.row, consumed], {
      events,
      brokerEvents,
      workspaces: workspaceCount,
      batchSize,
      'seconds by statement': aggregated.secondsByStatement,
    })
  } finally {
    await servers.stop()
  }
}

type Row = Record<string, string | number>

async function measureTransactions(count: number): Promise<{ row: Row; secondsByStatement: Record<string, number> }> {
  const database = await createTestDatabase('billing')
  const pool = new Pool({ connectionString: database.workerUrl, max: 1 })
  const workspaces = createWorkspaces()
  const spent = new Map<string, number>()
  const startedAt = performance.now()
  for (let done = 0; done < count; done += batchSize) {
    const batch = createEvents(workspaces, { from: done, count: Math.min(batchSize, count - done), total: count })
    await inWorkerTransaction(pool, async (_, query) => {
      const timed = timeStatements(query, spent)
      await timed(`INSERT INTO platform.inbox (consumer, event_id) SELECT 'bench', unnest($1::text[])`, [
        batch.map(({ id }) => id),
      ])
      await addUsageEvents(timed, 'bench', batch)
    })
    if (done % 250_000 === 0) process.stderr.write(`${done} events\n`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { rows } = await pool.query<{ totals: number }>('SELECT count(*)::int AS totals FROM usage_totals')
  await pool.end()
  await database.drop()
  const statements = [...spent].map(([name, ms]): [string, number] => [name, Math.round(ms / 100) / 10])
  const other = seconds - statements.reduce((sum, [, each]) => sum + each, 0)
  return {
    row: {
      name: 'in transactions',
      events: count,
      seconds,
      'events/s': Math.round(count / seconds),
      totals: rows[0]?.totals ?? 0,
    },
    secondsByStatement: { ...Object.fromEntries(statements), 'commit and JavaScript': Math.round(other * 10) / 10 },
  }
}

/** Adds the duration of each statement to that of the table it writes. */
const timeStatements =
  (query: Query, spent: Map<string, number>): Query =>
  async (text, values) => {
    const startedAt = performance.now()
    const rows = await query<never>(text, values) // the caller names the shape of the rows
    const [, table = 'other'] = /INSERT INTO (\S+)/.exec(text) ?? []
    spent.set(table, (spent.get(table) ?? 0) + performance.now() - startedAt)
    return rows
  }

async function measureService(count: number): Promise<Row> {
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'billing'] })
  const { NATS_URL: servers = '', SHARD: shard = '' } = fleet.env('billing')
  const bus = await connectBus({ servers, shard, name: 'bench', log: { warn() {}, error() {} } })
  await eventually(() => bus.isConnected)
  const pool = new Pool({ connectionString: fleet.databases.get('billing')?.workerUrl, max: 1 })
  try {
    await fleet.member('billing').stop()
    await publish(bus, count)
    await fleet.restart('billing')
    const countOf = async () => {
      const { rows } = await pool.query<{ sum: string | null }>('SELECT sum(quantity) FROM usage_totals')
      return Number(rows[0]?.sum ?? 0)
    }
    // The service has started when the first events are counted.
    const atStart = await eventually(async () => (await countOf()) || false)
    const startedAt = performance.now()
    await eventually(async () => (await countOf()) >= count, { timeoutMs: 3_600_000, intervalMs: 500 })
    const seconds = (performance.now() - startedAt) / 1000
    const { rows } = await pool.query<{ totals: number }>('SELECT count(*)::int AS totals FROM usage_totals')
    const totals = rows[0]?.totals ?? 0
    const events = count - atStart
    return { name: 'from the broker', events, seconds, 'events/s': Math.round(events / seconds), totals }
  } finally {
    await Promise.all([bus.close(), pool.end()])
    await fleet.stop()
  }
}

async function publish(bus: Bus, count: number): Promise<void> {
  const workspaces = createWorkspaces()
  const { client } = bus.jetstream.broker()
  for (let done = 0; done < count; done += 1_000)
    await Promise.all(
      createEvents(workspaces, { from: done, count: Math.min(1_000, count - done), total: count }).map((event) => {
        const { meter } = usageRecorded.data.parse(event.data)
        const subject = eventSubject(bus.shard, meterProducers[meter], event)
        return client.publish(subject, JSON.stringify(event), { msgID: event.id })
      }),
    )
}

const createWorkspaces = (): string[] => Array.from({ length: workspaceCount }, () => newId('ws'))

const meters: readonly Meter[] = ['api_calls', 'records', 'tokens_in', 'tokens_out', 'agent_runs', 'deliveries']

/** Creates events of quantity 1 in the order of a month. A tenth of them is of one workspace. */
function createEvents(
  workspaces: readonly string[],
  { from, count, total }: { from: number; count: number; total: number },
): DomainEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const meter = meters[n % meters.length] ?? 'api_calls'
    return {
      id: newId('evt'),
      kind: usageRecorded.kind,
      workspace_id: workspaces[n % 10 === 0 ? 0 : (n * 7919) % workspaces.length] ?? '',
      occurred_at: new Date(monthStart + Math.floor((n / total) * monthMs)).toISOString(),
      actor: { id: 'bench', type: 'service' },
      request_id: 'bench',
      traceparent: null,
      data: { meter, quantity: 1, subject: 'bench', dimensions: { service: 'data' } },
    }
  })
}
