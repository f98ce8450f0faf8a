import { afterAll, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import {
  claimSearchChanges,
  deleteSearchChanges,
  releaseSearchChanges,
  type SearchChange,
} from '../../src/store/search-feed/search-changes.ts'

const database = await createTestDatabase('data')
const pool = openWorkerPool(database.workerUrl, 4)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Replaces the changes of the table by those of new records, and claims them. */
async function addClaimedChanges(count: number): Promise<SearchChange[]> {
  const ids = Array.from({ length: count }, () => newId('rec'))
  await pool.query('DELETE FROM search_changes')
  await pool.query(
    `INSERT INTO search_changes (record_id, workspace_id, version)
     SELECT id, 'ws_1', nextval('search_versions') FROM unnest($1::text[]) AS id`,
    [ids],
  )
  const claimed = await claimSearchChanges(pool, '', { workspaces: 10, changes: 100 })
  return claimed.toSorted((a, b) => Number(a.version) - Number(b.version))
}

const remaining = async (condition = 'true') =>
  (await pool.query(`SELECT record_id FROM search_changes WHERE ${condition} ORDER BY version`)).rows.map(
    (row) => row.recordId,
  )

it('deletes and releases changes without waiting for a record that is changing', async () => {
  const [first, second, third] = await addClaimedChanges(3)
  if (!first || !second || !third) throw new Error('three changes are claimed')
  const upload = await pool.connect()
  try {
    await upload.query('BEGIN')
    await upload.query(`UPDATE search_changes SET version = nextval('search_versions'), claimed_until = NULL
      WHERE record_id = '${second.recordId}'`)
    await deleteSearchChanges(pool, [first, second])
    await releaseSearchChanges(pool, [second, third])
    expect(await remaining()).toEqual([second.recordId, third.recordId])
    expect(await remaining('claimed_until IS NULL')).toEqual([third.recordId])
    await upload.query('COMMIT')
  } finally {
    upload.release()
  }
  expect(await remaining('claimed_until IS NULL')).toEqual([third.recordId, second.recordId])
})

it('keeps the change of a record that changed again', async () => {
  const [change] = await addClaimedChanges(1)
  if (!change) throw new Error('a change is claimed')
  await pool.query(`UPDATE search_changes SET version = nextval('search_versions')`)
  await deleteSearchChanges(pool, [change])
  expect(await remaining()).toEqual([change.recordId])
})
