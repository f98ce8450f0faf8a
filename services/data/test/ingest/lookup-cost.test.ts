import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Database } from '@wp/database'
import { openWorkerPool, startTestFleet, type TestFleet } from '@wp/testkit'
import { readPendingBatch } from '../../src/store/embeddings/pending-documents.ts'
import { deleteRecords } from '../../src/store/records/delete-records.ts'
import { findRecordIds } from '../../src/store/records/record-keys.ts'
import { type RecordInput, upsertRecords } from '../../src/store/records/upsert-records.ts'
import { type LockedSource, lockSource } from '../../src/store/sources/locked-source.ts'
import { detachRecords } from '../../src/store/sources/source-parts.ts'
import { countRowsRead, type PlanNode } from '../support/query-plan.ts'

type WorkerPool = Database['worker']

let fleet: TestFleet
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'data'] })
  const path = `/v1/data/sources/${await createSource()}/records`
  expect((await fleet.request('POST', path, { as: fleet.owner.apiKey, body: rows })).status).toBe(200)
  const pool = openWorkerPool(fleet.databases.get('data')?.adminUrl ?? '', 1)
  await pool.query('ANALYZE')
  await pool.end()
})
afterAll(() => fleet.stop())

/** Long keys make the index of keys deeper than the others, so that the planner prefers those. */
const rows = Array.from({ length: 500 }, (_, nth) => ({
  id: createHash('shake256', { outputLength: 200 }).update(`${nth}`).digest('hex'),
  value: nth,
}))
const records = rows.map(
  (row): RecordInput => ({ key: row.id, json: JSON.stringify(row), title: null, url: null, text: `word${row.value}` }),
)
const keys = rows.map(({ id }) => id)

async function createSource(): Promise<string> {
  const body = { name: 'Counts', provider: 'upload', config: { key: 'id' } }
  const source = await fleet.request('POST', '/v1/data/sources', { as: fleet.owner.apiKey, body })
  return source.body.data.data_source_id
}

type Run = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>

interface Given {
  /** Ids of ten records. */
  ids: string[]
  pool: WorkerPool
}

/** Reads and writes of single records, with the number of rows that they need to read. */
const lookups: [string, number, (query: Run, source: LockedSource, given: Given) => Promise<unknown>][] = [
  ['an upload', records.length, (query, source) => upsertRecords(query, source, records)],
  ['a deletion by keys', 10, (query, source) => findRecordIds(query, source, keys.slice(0, 10))],
  // A deleted row is also a row of the deletion.
  ['a deletion by ids', 20, (query, source, { ids }) => deleteRecords(query, source, ids)],
  ['removal from parts', 10, (query, source, { ids }) => detachRecords(query, source, ids)],
  [
    'embedding of changes',
    128,
    async (query, { workspaceId, dataSourceId }, { pool }) => {
      await query('INSERT INTO embedding_progress (data_source_id, workspace_id, space) VALUES ($1, $2, 1)', [
        dataSourceId,
        workspaceId,
      ])
      await query(
        'INSERT INTO embedding_changes (data_source_id, document, workspace_id) SELECT $1, generate_series(0, 400), $2',
        [dataSourceId, workspaceId],
      )
      return readPendingBatch(pool, { dataSourceId, nextDocument: 0 }, 100)
    },
  ],
]

it.each(lookups)(
  'needs no more rows for %s when the statistics of the planner do not know the source',
  async (_, expected, run) => {
    const dataSourceId = await createSource()
    const pool = openWorkerPool(fleet.databases.get('data')?.adminUrl ?? '', 1)
    const query: Run = async (text, values = []) => (await pool.query(text, [...values])).rows
    await query('BEGIN')
    const source = await lockSource(query, fleet.owner.workspaceId, dataSourceId)
    await upsertRecords(query, source, records)
    const found = await query<{ id: string }>(
      'SELECT record_id AS id FROM data_records WHERE data_source_id = $1 LIMIT 10',
      [dataSourceId],
    )
    const ids = found.map(({ id }) => id)
    let rowsRead = 0
    const explain: Run = async (text, values = []) => {
      if (text.includes('data_records')) {
        await query('SAVEPOINT before')
        const [line] = await query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        )
        await query('ROLLBACK TO before')
        if (line !== undefined) rowsRead += countRowsRead(line['QUERY PLAN'][0].Plan, 'data_records')
      }
      return query(text, values)
    }
    const explaining: WorkerPool = Object.assign(Object.create(pool), {
      query: async (text: string, values: readonly unknown[]) => ({ rows: await explain(text, values) }),
    })
    await run(explain, source, { ids, pool: explaining })
    await query('ROLLBACK')
    await pool.end()
    expect(rowsRead).toBe(expected)
  },
)
