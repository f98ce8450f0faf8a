import type { Pool } from 'pg'
import { cpuPerRequest, type MeteredProcess, startMeter } from '../harness/process-usage.ts'
import type { Row } from '../harness/report.ts'

/** The cost of an event or a delivery. */
export interface Cost extends Row {
  'per s': number
  /** Processor time of the sending process. */
  'CPU µs': number
  /** The number per second if the sending process had one core for itself. */
  'per core': number
}

/**
 * Measures the processor time of each process for one of many events or deliveries, and the transactions, bytes and
 * syncs of the log of PostgreSQL.
 *
 * @param processes the first one sends
 */
export async function measureCost<Result>(
  { processes, sql }: { processes: readonly MeteredProcess[]; sql: Pool },
  count: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; cost: Cost }> {
  const before = await readServerWork(sql)
  const readUsage = startMeter(processes)
  const result = await work()
  const usage = readUsage()
  const after = await readServerWork(sql)
  const [cpu = Number.NaN, ...others] = processes.map(({ name }) => 1_000 * cpuPerRequest(usage, name, count))
  const cost = { 'per s': Math.round(count / usage.seconds), 'CPU µs': cpu, 'per core': Math.round(1e6 / cpu) }
  const ofOthers = others.map((cpuUs, index) => [`${processes[index + 1]?.name} CPU µs`, cpuUs])
  const ofServer = Object.entries(after).map(([name, total]) => [name, (total - (before[name] ?? 0)) / count])
  return { result, cost: { ...cost, ...Object.fromEntries([...ofOthers, ...ofServer]) } }
}

/** Returns the work of PostgreSQL since it started, for all databases. */
async function readServerWork(sql: Pool): Promise<Record<string, number>> {
  const { rows } = await sql.query<Record<string, number>>(
    `SELECT (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS transactions, wal_bytes::float8 AS "WAL bytes",
       (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS "WAL syncs"
     FROM pg_stat_wal`,
  )
  return rows[0] ?? {}
}
