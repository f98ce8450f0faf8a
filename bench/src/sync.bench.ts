import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@wp/database'
import { eventually, startTestFleet, startTestServers, type TestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'
import { numericOption } from './harness/options.ts'
import { report } from './harness/report.ts'
import { createMeasurement, type Measurement } from './sync/measurement.ts'
import { sampleMemory } from './sync/memory-sampler.ts'
import { createParquet, createWorkbook } from './sync/row-files.ts'
import { generateCsv, rowOf } from './sync/rows.ts'
import { createSourceTable, type SourceTable } from './sync/source-table.ts'

const insertBatchSize = 1000
/** Sources that are synced at the same time. */
const concurrentSources = 8

/** Files are written in memory. */
const maxFileRows = 200_000

const baseline = 'bare INSERTs'
const firstUpload = 'upload, all rows new'
const firstPostgresSync = 'postgres source, all rows new'

/**
 * Measures how many rows per second the data service stores: a CSV upload through the gateway with new rows, the same
 * upload again, and a sync that changes every row; then a table of another database, read by one postgres source, again
 * without changes, and by eight sources at the same time. The baseline is a connection that inserts the same rows into
 * the same table with INSERTs of a thousand rows. The reported memory is that of the data service.
 *
 * A workbook and a Parquet file with up to 200,000 of the rows are uploaded, too.
 *
 * Options: rows (default 1,000,000); `csv`, `files`, `postgres` or `concurrent` to measure only these parts.
 */
export async function run(options: string[]): Promise<void> {
  const rows = numericOption(options) ?? 1_000_000
  const parts = options.filter((option) => /^[a-z]+$/.test(option))
  const isChosen = (part: string) => parts.length === 0 || parts.includes(part)
  const servers = await startTestServers()
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth', 'data', 'integrations'],
    env: { data: { SYNC_CONCURRENCY: `${concurrentSources}` } },
  })
  const memory = sampleMemory(fleet.member('data').pid)
  try {
    const measure = createMeasurement(rows, baseline, memory)
    await measure.run(baseline, () => insertRows(fleet, rows))
    if (isChosen('csv')) await measureUploads(fleet, rows, measure)
    if (isChosen('files')) await measureFiles(fleet, Math.min(rows, maxFileRows), measure)
    let deadlocks = 0
    if (isChosen('postgres') || isChosen('concurrent')) {
      const table = await createSourceTable(fleet, rows)
      if (isChosen('postgres')) await measurePostgresSource(fleet, table, rows, measure)
      const deadlocksBefore = await countDeadlocks(fleet)
      if (isChosen('concurrent')) await measureConcurrentSources(fleet, table, rows, measure)
      deadlocks = (await countDeadlocks(fleet)) - deadlocksBefore
      await table.drop()
    }
    report('sync', measure.results, {
      rows,
      ...measure.ratioToBaseline(firstUpload),
      ...measure.ratioToBaseline(firstPostgresSync),
      deadlocks,
    })
  } finally {
    memory.stop()
    await fleet.stop()
    await servers.stop()
  }
}

async function measureUploads(fleet: TestFleet, rows: number, measure: Measurement): Promise<void> {
  const path = await createUploadSource(fleet)
  const csv = () => ReadableStream.from(generateCsv(rows))
  await measure.run(firstUpload, () => upload(fleet, path, csv(), { seen: rows, created: rows }))
  await measure.run('upload, no row new', () => upload(fleet, path, csv(), { seen: rows, created: 0, updated: 0 }))
  await request(fleet, 'PATCH', path, { config: { title_field: 'room' } })
  await measure.run('sync, every title changed', () => sync(fleet, path, { seen: rows, updated: rows }))
}

async function measureFiles(fleet: TestFleet, rows: number, measure: Measurement): Promise<void> {
  const files = { workbook: createWorkbook(rows), 'Parquet file': createParquet(rows) }
  for (const [name, file] of Object.entries(files)) {
    const path = await createUploadSource(fleet)
    await measure.run(`${name}, all rows new`, () => upload(fleet, path, file, { seen: rows, created: rows }), rows)
  }
}

async function measurePostgresSource(
  fleet: TestFleet,
  table: SourceTable,
  rows: number,
  measure: Measurement,
): Promise<void> {
  const path = await table.createSource()
  await measure.run(firstPostgresSync, () => sync(fleet, path, { seen: rows, created: rows }))
  const unchanged = { seen: rows, created: 0, updated: 0, deleted: 0 }
  await measure.run('postgres source, full sync, no row new', () => sync(fleet, path, unchanged, 'full'))
}

async function measureConcurrentSources(
  fleet: TestFleet,
  table: SourceTable,
  rows: number,
  measure: Measurement,
): Promise<void> {
  const paths = await Promise.all(
    Array.from({ length: concurrentSources }, (_, part) => table.createSource(part, concurrentSources)),
  )
  await measure.run(`${concurrentSources} postgres sources at the same time`, async () => {
    const counts = await Promise.all(paths.map((path) => sync(fleet, path, { failed: 0 })))
    const created = counts.reduce((sum, count) => sum + (count.created ?? 0), 0)
    if (created !== rows) throw new Error(`created ${created} rows instead of ${rows}`)
  })
}

const request = (fleet: TestFleet, method: string, path: string, body?: unknown): Promise<TestResponse> =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })

/** @returns its path */
async function createUploadSource(fleet: TestFleet): Promise<string> {
  const body = { name: 'bench', provider: 'upload', config: { key: 'id' } }
  return `/v1/data/sources/${(await request(fleet, 'POST', '/v1/data/sources', body)).body.data.data_source_id}`
}

async function upload(
  fleet: TestFleet,
  path: string,
  rawBody: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  counts: object,
): Promise<void> {
  const response = await fleet.request('POST', `${path}/records`, {
    as: fleet.owner.apiKey,
    rawBody,
    headers: { 'content-type': 'application/octet-stream' },
  })
  checkCounts(response, { failed: 0, ...counts })
}

async function sync(
  fleet: TestFleet,
  path: string,
  counts: object,
  mode?: 'full' | 'incremental',
): Promise<Record<string, number>> {
  const { id } = (await request(fleet, 'POST', `${path}/sync/start`, { mode })).body.data
  const finished = await eventually(
    async () => {
      const response = await request(fleet, 'GET', `/v1/data/syncs/${id}`)
      return response.body.data.finished_at !== null && response
    },
    { timeoutMs: 600_000, intervalMs: 250 },
  )
  checkCounts(finished, counts)
  return finished.body.data.counts
}

/** Rejects a measurement whose work was not done. */
function checkCounts({ status, body }: TestResponse, expected: object): void {
  for (const [name, count] of Object.entries(expected))
    if (body.data?.counts[name] !== count)
      throw new Error(`expected ${count} ${name}: ${status} ${JSON.stringify(body)}`)
}

/** Returns the deadlocks in the data service's database, from the statistics of PostgreSQL. */
async function countDeadlocks(fleet: TestFleet): Promise<number> {
  // Sessions report their statistics about once per second.
  await pause(2_000)
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ deadlocks: string }>(
      `SELECT pg_stat_clear_snapshot(), deadlocks::text FROM pg_stat_database WHERE datname = current_database()`,
    )
    return Number(rows[0]?.deadlocks)
  } finally {
    await client.end()
  }
}

async function insertRows(fleet: TestFleet, rows: number): Promise<void> {
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  try {
    for (let from = 0; from < rows; from += insertBatchSize) {
      const batch = Array.from({ length: Math.min(insertBatchSize, rows - from) }, (_, index) => rowOf(from + index))
      await client.query(
        `INSERT INTO data_records (workspace_id, data_source_id, record_id, key, data)
         SELECT 'ws_bare', 'src_bare', * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
        [batch.map(() => newId('rec')), batch.map(({ id }) => id), batch.map((row) => JSON.stringify(row))],
      )
    }
  } finally {
    await client.end()
  }
}
