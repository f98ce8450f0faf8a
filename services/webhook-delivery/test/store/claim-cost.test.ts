import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, openWorkerPool, type TestDatabase } from '@wp/testkit'
import { Client, Pool } from 'pg'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { claim } from '../fixture/claim.ts'

const backlog = 5_000
const endpoints = 50
/** Due deliveries of every fifth endpoint: fewer than its cap of four, so that the claim looks for its next one. */
const few = 3
const claimedRows = 4 + (4 * endpoints * 4) / 5 + (few * endpoints) / 5
/** Each delivery is read to lock and to update it; an endpoint reads its attempts in flight and its next delivery. */
const maxRowsRead = 5 * claimedRows

let database: TestDatabase
/** One session, whose statistics the test reads. */
let sql: Pool
let admin: Pool
beforeAll(async () => {
  database = await createTestDatabase('webhook-delivery')
  sql = openWorkerPool(database.workerUrl, 1)
  admin = new Pool({ connectionString: database.adminUrl, max: 1 })
  // The statements of a session are planned once: here by empty tables, as those of a new installation are.
  await addBacklog(sql, await addEndpoint(sql, 'ws_first'), 0)
  expect(await claim(sql, 200)).toEqual([])
  await addBacklog(sql, await addEndpoint(sql, 'ws_unresponsive'), backlog)
  for (let index = 0; index < endpoints; index += 1)
    await addBacklog(sql, await addEndpoint(sql, `ws_${index}`, `https://x${index}/`), index % 5 === 0 ? few : 12)
})
afterAll(async () => {
  await Promise.all([sql?.end(), admin?.end()])
  await database?.drop()
})

/** Returns the rows of `deliveries` that statements have read by an index so far. */
async function countRowsRead(): Promise<number> {
  await sql.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await sql.query<{ rows: number }>(
    `SELECT idx_tup_fetch::int AS rows FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
  )
  return rows[0]?.rows ?? 0
}

describe(`a claim beside ${backlog} due deliveries of one endpoint`, () => {
  it('reads only what it claims, with plans of empty tables and with later ones', async () => {
    const before = await countRowsRead()
    expect(await claim(sql, 1_000)).toHaveLength(claimedRows)
    expect((await countRowsRead()) - before).toBeLessThan(maxRowsRead)

    await sql.query(`UPDATE deliveries SET lease_token = NULL, next_attempt_at = now() - interval '1 hour'`)
    await sql.query(`UPDATE endpoints SET saturated_until = NULL, next_due_at = now() - interval '1 hour'`)
    await admin.query('ANALYZE deliveries, endpoints, subscriptions')
    const beforeSecond = await countRowsRead()
    expect(await claim(sql, 1_000)).toHaveLength(claimedRows)
    expect((await countRowsRead()) - beforeSecond).toBeLessThan(maxRowsRead)
  })
})

describe('a claim of an endpoint with 1,000 ended attempts', () => {
  it('does not read them, although their entries are still in the index', async () => {
    // while it is in progress, no vacuum and no scan removes entries of what is deleted now
    const reader = new Client({ connectionString: database.adminUrl })
    await reader.connect()
    try {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
      const webhookId = await addEndpoint(sql, 'ws_ended', 'https://ended/')
      await addBacklog(sql, webhookId, 1_000)
      await sql.query(
        `UPDATE deliveries SET lease_token = 'ended', next_attempt_at = now() - interval '1 hour' WHERE webhook_id = $1`,
        [webhookId],
      )
      await sql.query(
        `UPDATE deliveries SET lease_token = NULL, next_attempt_at = NULL, status = 'delivered' WHERE webhook_id = $1`,
        [webhookId],
      )
      await addBacklog(sql, webhookId, 1)
      const before = await countEntriesRead()
      expect((await claim(sql, 200)).map((claimed) => claimed.webhookId)).toContain(webhookId)
      expect((await countEntriesRead()) - before).toBeLessThan(100)
    } finally {
      await reader.end()
    }
  })

  /** Returns the entries that scans have read of the index of attempts in flight so far. */
  async function countEntriesRead(): Promise<number> {
    await sql.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await sql.query<{ entries: number }>(
      `SELECT idx_tup_read::int AS entries FROM pg_stat_user_indexes WHERE indexrelname = 'deliveries_in_flight'`,
    )
    return rows[0]?.entries ?? Number.NaN
  }
})
