import type { Query } from '@wp/database'
import { startTestFleet, startTestServers, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { generateChain } from './audit/generate-chain.ts'
import { pageQueries } from './audit/page-queries.ts'
import { measurePartitions } from './audit/partitions.ts'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'
import { quantile } from './harness/statistics.ts'

const maxRecords = 20_000_000
/** Records of one verification request, which must end within the timeout of the gateway. */
const partSize = 100_000
/** Requests for each filtered page; the first one of a kind reads a cold cache. */
const repetitions = 7

/**
 * Measures the audit log of one workspace at a size: its verification in parts, filtered pages, both through the
 * gateway, and the sizes of tables and indexes. `--partitions` copies the records to a table partitioned by month and
 * compares.
 *
 * Options: records (default 1,000,000, at most 20,000,000; ten million take 8 GB), --partitions.
 */
export async function run(options: string[]): Promise<void> {
  const records = Math.min(numericOption(options) ?? 1_000_000, maxRecords)
  const servers = await startTestServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'audit'] })
  const admin = new Client({ connectionString: fleet.databases.get('audit')?.adminUrl })
  await admin.connect()
  // The caller states the shape of the rows that its statement returns.
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await admin.query(text, [...values])).rows as Row[]
  try {
    const rows: Record<string, string | number>[] = []
    const measure = async (name: string, count: number, work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      const seconds = (performance.now() - startedAt) / 1000
      rows.push({ name, records: count, seconds, 'records/s': Math.round(count / seconds) })
      process.stdout.write(`${name}: ${seconds.toFixed(1)} s\n`)
    }
    const { workspaceId } = fleet.owner
    await fleet.member('audit').stop()
    await measure('generated', records, () => generateChain(query, workspaceId, records, printProgress))
    await fleet.restart('audit')
    rows.push(...(await measurePages(fleet)))
    await measure(`verified in parts of ${partSize}`, records, async () => {
      for (let from = 1; from <= records; from += partSize)
        await verify(fleet, from, Math.min(records, from + partSize - 1))
    })
    const sizes = await readSizes(query)
    if (options.includes('--partitions')) rows.push(...(await measurePartitions(query, workspaceId)))
    report('audit-size', rows, { records, sizes })
  } finally {
    await admin.end()
    await fleet.stop()
    await servers.stop()
  }
}

async function measurePages(fleet: TestFleet): Promise<Record<string, string | number>[]> {
  const rows: Record<string, string | number>[] = []
  for (const [name, parameters] of Object.entries(pageQueries(new Date()))) {
    const times: number[] = []
    let found = 0
    for (let n = 0; n < repetitions; n += 1) {
      const startedAt = performance.now()
      const page = await get(fleet, `/v1/audit/logs?limit=100&${parameters}`)
      times.push(performance.now() - startedAt)
      found = page.length
    }
    const sorted = Float64Array.from(times).sort()
    rows.push({ name: `page: ${name}`, records: found, 'median ms': quantile(sorted, 0.5), 'first ms': times[0] ?? 0 })
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
  }
  return rows
}

async function verify(fleet: TestFleet, from: number, to: number): Promise<void> {
  const { status, checked, problems } = await get(fleet, `/v1/audit/logs/verify?from_seq=${from}&to_seq=${to}`)
  if (status !== 'ok' || checked !== to - from + 1) throw new Error(`${status} ${checked} ${JSON.stringify(problems)}`)
}

async function get(fleet: TestFleet, path: string) {
  const { status, body } = await fleet.request('GET', path, { as: fleet.owner.apiKey })
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

const readSizes = async (query: Query) =>
  await query(`SELECT relname AS name, round(pg_relation_size(oid) / 1e6)::int AS megabytes FROM pg_class
               WHERE relname LIKE 'audit_%' AND relkind IN ('r', 'i') ORDER BY relname`)

function printProgress(generated: number): void {
  process.stdout.write(`generated ${generated}\n`)
}
