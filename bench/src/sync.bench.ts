import { newId } from '@wp/database'
import type { TestFleet, TestResponse } from '@wp/testkit'
import { inDatabase, requireOk, withFleet } from './harness/fleet.ts'
import { meteredProcess, residentMib } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'

const insertBatchSize = 1000
const baseline = 'bare INSERTs'

/**
 * Measures how many rows per second the data service stores: a CSV upload through the gateway with new rows, and the
 * same upload again. The baseline is a connection that inserts the same rows into the
 * same table with INSERTs of a thousand rows. The reported memory is that of the data service.
 */
export async function run({ rows }: { rows: number }): Promise<void> {
  await withFleet({ services: ['auth', 'data', 'integrations'] }, async (fleet) => {
    const measure = createMeasurement(fleet, rows)
    await measure(baseline, () => insertRows(fleet, rows))
    const body = { name: 'bench', provider: 'upload', config: { key: 'id' } }
    const { data_source_id: id } = await requireOk(
      fleet.request('POST', '/v1/data/sources', { as: fleet.owner.apiKey, body }),
    )
    const path = `/v1/data/sources/${id}`
    await measure('upload, all rows new', () => upload(fleet, path, rows, { created: rows }))
    const results = await measure('upload, no row new', () => upload(fleet, path, rows, { created: 0, updated: 0 }))
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
    results.push({
      name,
      'rows/s': perSecond,
      [`of ${baseline}`]: ofBaseline,
      'peak MiB': peak,
      'last MiB': residentMib(pid),
    })
    return results
  }
}

async function upload(fleet: TestFleet, path: string, rows: number, counts: object): Promise<void> {
  const response = await fleet.request('POST', `${path}/records`, {
    as: fleet.owner.apiKey,
    rawBody: ReadableStream.from(generateCsv(rows)),
    headers: { 'content-type': 'application/octet-stream' },
  })
  checkCounts(response, { seen: rows, failed: 0, ...counts })
}

/** Rejects a measurement whose work was not done. */
function checkCounts({ status, body }: TestResponse, expected: object): void {
  for (const [name, count] of Object.entries(expected))
    if (body.data?.counts[name] !== count)
      throw new Error(`expected ${count} ${name}: ${status} ${JSON.stringify(body)}`)
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

/** Generates chunks of a CSV file. */
function* generateCsv(rows: number): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = 'ts,room,people,note,id\n'
  for (let index = 0; index < rows; index++) {
    const { ts, room, people, note, id } = rowOf(index)
    text += `${ts},${room},${people},"${note.replaceAll('"', '""')}",${id}\n`
    if (text.length < 65_536 && index + 1 < rows) continue
    yield encoder.encode(text)
    text = ''
  }
}
