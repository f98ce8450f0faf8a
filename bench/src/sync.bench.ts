import { newId } from '@wp/database'
import type { TestFleet } from '@wp/testkit'
import { inDatabase, requireOk, withFleet } from './harness/fleet.ts'
import { meteredProcess, residentMib } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { sendRecords } from './search/upload.ts'

const insertBatchSize = 1000
const baseline = 'bare INSERTs'

/**
 * Measures how many rows per second the data service stores: a CSV upload through the gateway with new rows, and the
 * same upload again, beside a connection that inserts the same rows into the same table, a thousand at a time.
 */
export async function run({ rows }: { rows: number }): Promise<void> {
  await withFleet({ services: ['auth', 'data', 'integrations'] }, async (fleet) => {
    const measure = createMeasurement(fleet, rows)
    await measure(baseline, () => insertRows(fleet, rows))
    const body = { name: 'bench', provider: 'upload', config: { key: 'id' } }
    const created = fleet.request('POST', '/v1/data/sources', { as: fleet.owner.apiKey, body })
    const { data_source_id: id } = await requireOk(created)
    await measure('upload, all rows new', () => upload(fleet, id, rows, { created: rows }))
    const results = await measure('upload, no row new', () => upload(fleet, id, rows, { created: 0, updated: 0 }))
    report('sync', results, { rows })
  })
}

/** @returns a function that measures a part, and returns the results so far */
function createMeasurement(fleet: TestFleet, rows: number) {
  const { pid } = meteredProcess('data', fleet.member('data'))
  const results: Row[] = []
  return async (name: string, work: () => Promise<unknown>): Promise<Row[]> => {
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMib(pid))
    }, 100)
    const startedAt = performance.now()
    await work()
    const seconds = (performance.now() - startedAt) / 1000
    clearInterval(timer)
    const perSecond = Math.round(rows / seconds)
    const ofBaseline = perSecond / Number(results[0]?.['rows/s'] ?? perSecond)
    const memory = { 'peak MiB': peak, 'last MiB': residentMib(pid) }
    results.push({ name, 'rows/s': perSecond, [`of ${baseline}`]: ofBaseline, ...memory })
    return results
  }
}

/** @throws Error if the work was not done */
async function upload(fleet: TestFleet, sourceId: string, rows: number, counts: object): Promise<void> {
  const lines = generateCsv(rows)
  const sync = await sendRecords(fleet, fleet.owner.apiKey, sourceId, lines, 'application/octet-stream')
  for (const [name, count] of Object.entries({ seen: rows, failed: 0, ...counts }))
    if (sync.counts?.[name] !== count) throw new Error(`expected ${count} ${name}: ${JSON.stringify(sync)}`)
}

const insertRows = (fleet: TestFleet, rows: number): Promise<void> =>
  inDatabase(fleet, 'data', async (client) => {
    for (let from = 0; from < rows; from += insertBatchSize) {
      const batch = Array.from({ length: Math.min(insertBatchSize, rows - from) }, (_, index) => rowOf(from + index))
      await client.query(
        `INSERT INTO data_records (workspace_id, data_source_id, record_id, key, data)
         SELECT 'ws_bare', 'src_bare', * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
        [batch.map(() => newId('rec')), batch.map(({ id }) => id), batch.map((row) => JSON.stringify(row))],
      )
    }
  })

const rowOf = (index: number) => ({
  ts: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  room: `room ${index % 500}`,
  people: String(index % 97),
  note: `some, "quoted" text ${index}`,
  id: String(index),
})

/** Generates the lines of a CSV file. */
function* generateCsv(rows: number): Generator<string> {
  yield 'ts,room,people,note,id\n'
  for (let index = 0; index < rows; index++) {
    const { ts, room, people, note, id } = rowOf(index)
    yield `${ts},${room},${people},"${note.replaceAll('"', '""')}",${id}\n`
  }
}
