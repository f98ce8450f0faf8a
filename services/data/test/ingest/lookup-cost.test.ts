import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openWorkerPool, startTestFleet, type TestFleet } from '@wp/testkit'
import { type RecordInput, upsertRecords } from '../../src/store/records/upsert-records.ts'
import { lockSource } from '../../src/store/sources/locked-source.ts'
import { countRowsRead, type PlanNode } from '../support/query-plan.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'data'] })
}, 120_000)
afterAll(() => fleet.stop())

/** Long keys make the index of keys deeper than the others, so that the planner prefers those. */
const rows = Array.from({ length: 500 }, (_, nth) => ({
  id: createHash('shake256', { outputLength: 200 }).update(`${nth}`).digest('hex'),
  value: nth,
}))
const records = rows.map(
  (row): RecordInput => ({ key: row.id, json: JSON.stringify(row), title: null, url: null, text: null }),
)

async function createSource(): Promise<string> {
  const body = { name: 'Counts', provider: 'upload', config: { key: 'id' } }
  const source = await fleet.request('POST', '/v1/data/sources', { as: fleet.owner.apiKey, body })
  return source.body.data.data_source_id
}

it('looks up each record by its key when the statistics of the planner do not know the source', async () => {
  const path = `/v1/data/sources/${await createSource()}/records`
  expect((await fleet.request('POST', path, { as: fleet.owner.apiKey, body: rows })).status).toBe(200)
  const dataSourceId = await createSource()
  const rowsRead: number[] = []
  const pool = openWorkerPool(fleet.databases.get('data')?.adminUrl ?? '', 1)
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, [...values])).rows
  await query('ANALYZE data_records')
  await query('BEGIN')
  const source = await lockSource(query, fleet.owner.workspaceId, dataSourceId)
  await upsertRecords(query, source, records)
  await upsertRecords(
    async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      if (text.includes('INSERT INTO data_records')) {
        const [line] = await query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        )
        if (line !== undefined) rowsRead.push(countRowsRead(line['QUERY PLAN'][0].Plan, 'data_records'))
      }
      return query(text, values)
    },
    source,
    records,
  )
  await query('ROLLBACK')
  await pool.end()
  expect(rowsRead).toEqual([records.length])
})
