import { setTimeout as pause } from 'node:timers/promises'
import { startMeter } from '../harness/process-usage.ts'
import type { Row } from '../harness/report.ts'
import type { DeliveryFleet } from './delivery-fleet.ts'
import { measureLatency } from './latency.ts'
import { measureFanOut } from './throughput.ts'

/** Work of PostgreSQL since it started, for all databases. */
type ServerWork = Record<'transactions' | 'WAL bytes' | 'WAL syncs', number>

/**
 * Measures the processor time of an event in each process, and its transactions, bytes and syncs of the log of
 * PostgreSQL, at fixed rates, and at full speed. The first row is the cost of a second without events.
 */
export async function measureCosts(
  fleet: DeliveryFleet,
  { rates, seconds, events }: { rates: readonly number[]; seconds: number; events: number },
): Promise<Row[]> {
  const workspaces: string[] = []
  for (let index = 0; index < 20; index += 1) workspaces.push((await fleet.subscribe('/ok')).workspaceId)
  await measureLatency(fleet, { workspaces, perSecond: 100, seconds: 2 }) // warms up code and connections
  const rows = [await measureCost(fleet, 'idle, per second', () => pause(seconds * 1_000, seconds))]
  for (const perSecond of rates)
    rows.push(
      await measureCost(fleet, `${perSecond}/s`, async () => {
        return (await measureLatency(fleet, { workspaces, perSecond, seconds })).events
      }),
    )
  const full = { events, subscriptions: 1, workspaces: 20 }
  rows.push(
    await measureCost(fleet, 'full', async () => {
      await measureFanOut(fleet, full)
      return events
    }),
  )
  return rows
}

/** @param work returns the number of events */
async function measureCost(fleet: DeliveryFleet, rate: string, work: () => Promise<number>): Promise<Row> {
  const before = await readServerWork(fleet)
  const readUsage = startMeter(fleet.processes)
  const events = await work()
  const { processes } = readUsage()
  const after = await readServerWork(fleet)
  const costs = processes.map(({ name, cpuMs }) => [`${name} ms`, cpuMs / events])
  const total = processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / events
  const counts = Object.entries(after).map(([name, count]) => [
    name,
    (count - before[name as keyof ServerWork]) / events, // the keys of both
  ])
  return { rate, events, 'all ms': total, ...Object.fromEntries(costs), ...Object.fromEntries(counts) }
}

async function readServerWork({ sql }: DeliveryFleet): Promise<ServerWork> {
  const { rows } = await sql.query<ServerWork>(
    `SELECT (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS transactions, wal_bytes::float8 AS "WAL bytes",
       (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS "WAL syncs"
     FROM pg_stat_wal`,
  )
  return rows[0] ?? { transactions: Number.NaN, 'WAL bytes': Number.NaN, 'WAL syncs': Number.NaN }
}
