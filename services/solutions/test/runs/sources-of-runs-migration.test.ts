import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase } from '@wp/testkit'
import { Client } from 'pg'

const file = join(import.meta.dirname, '../../prisma/migrations/20261122165000_sources_of_runs/migration.sql')

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase('solutions')
})
afterAll(() => database?.drop())

describe('the migration of the sources of runs', () => {
  it('makes the data source of a run its subject, in every workspace', async () => {
    const worker = new Client({ connectionString: database.workerUrl })
    const owner = new Client({ connectionString: database.ownerUrl })
    await Promise.all([worker.connect(), owner.connect()])
    try {
      await worker.query(
        `INSERT INTO platform.jobs (id, queue, workspace_id, input) VALUES
           ('fr_1', 'forecast', 'ws_1', '{"parameters": {"data_source_id": "src_1"}}'),
           ('fr_2', 'forecast', 'ws_2', '{"parameters": {"data_source_id": "src_2"}}'),
           ('fr_3', 'forecast', 'ws_2', '{"parameters": {"horizon": 7}, "series": []}')`,
      )
      await owner.query(await readFile(file, 'utf8'))
      const { rows } = await worker.query('SELECT id, subject FROM platform.jobs ORDER BY id')
      expect(rows).toEqual([
        { id: 'fr_1', subject: 'src_1' },
        { id: 'fr_2', subject: 'src_2' },
        { id: 'fr_3', subject: null },
      ])
      const { rows: forced } = await owner.query(
        `SELECT relforcerowsecurity AS "isForced" FROM pg_class WHERE oid = 'platform.jobs'::regclass`,
      )
      expect(forced).toEqual([{ isForced: true }])
    } finally {
      await Promise.all([worker.end(), owner.end()])
    }
  })
})
