import { afterAll, expect, it } from '@jest/globals'
import type { Client } from 'pg'
import { deleteUnusedLexemes } from '../../src/store/search/delete-unused-lexemes.ts'
import { withClient } from '../support/database.ts'
import { countRowsRead } from '../support/query-plan.ts'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

/** Records with a word of their own. */
const records = 1_000
/** Words of the records that one step deletes. */
const lexemes = Array.from({ length: 100 }, (_, index) => `word${index}`)

const service = await startDataService()
afterAll(() => service.stop())

/** Runs the deletion and returns the rows of the index that its last statement has read. */
async function measureDeletion(client: Client, workspaceId: string, dataSourceId: string): Promise<number> {
  let rowsRead = Number.NaN
  await client.query('BEGIN')
  // As in a request: row-level security hides most statistics from the planner.
  await client.query("SELECT set_config('app.workspace_id', $1, true)", [workspaceId])
  await deleteUnusedLexemes(
    async <Row>(text: string, values: readonly unknown[] = []) => {
      if (!/^\s*DELETE/.test(text)) return (await client.query(text, [...values])).rows
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
      rowsRead = countRowsRead(rows[0]['QUERY PLAN'][0].Plan, 'search_postings')
      return [] as Row[]
    },
    { workspaceId, dataSourceId },
    lexemes,
  )
  await client.query('ROLLBACK')
  return rowsRead
}

it('reads each posting a few times to delete unused words from an index without statistics', async () => {
  const { workspaceId, createSource } = createSearchWorkspace(service)
  const rows = Array.from({ length: records }, (_, index) => ({ id: `${index}`, text: `word${index}` }))
  const source = await createSource(rows)
  await withClient(service.env.DATABASE_URL, async (client) => {
    expect(await measureDeletion(client, workspaceId, source)).toBeLessThan(10 * records)
  })
})
