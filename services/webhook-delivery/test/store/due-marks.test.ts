import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { inWorkerTransaction, type Query } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import type { PoolClient } from 'pg'
import { findMsUntilReady } from '../../src/store/deliveries/ready-endpoints.ts'
import { absorbDueMarks, markDue } from '../../src/store/endpoints/due-marks.ts'
import { addDueDelivery, addEndpoint } from '../fixture/backlog.ts'
import { claim as claimFrom, claimResult } from '../fixture/claim.ts'

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)
afterEach(async () => {
  await sql.query('DELETE FROM subscriptions')
  await sql.query('DELETE FROM deliveries')
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const claim = async () => (await claimFrom(sql, 10)).map(({ webhookId }) => webhookId)

const countMarks = async () => (await sql.query('SELECT FROM due_marks')).rowCount

/** Runs `work` while another transaction holds the rows of endpoints, as the record of an attempt does. */
async function withHeldEndpoints(webhookIds: string[], work: (holder: PoolClient) => Promise<void>): Promise<void> {
  const holder = await sql.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM endpoints WHERE webhook_id = ANY ($1) FOR NO KEY UPDATE', [webhookIds])
    await work(holder)
    await holder.query('COMMIT')
  } finally {
    holder.release()
  }
}

/** Adds a due delivery to each endpoint and marks the endpoints, in one transaction. */
const enqueue = (webhookIds: string[]) =>
  inWorkerTransaction(sql, async (_client, query) => {
    for (const webhookId of webhookIds) await addDueDelivery(query, webhookId)
    await markDue(query, webhookIds)
  })

describe('markDue', () => {
  it('does not wait for endpoints that are held, and lets the others be claimed at once', async () => {
    const [held, free] = [await addEndpoint(sql, 'ws_1'), await addEndpoint(sql, 'ws_2')]
    await withHeldEndpoints([held], async () => {
      await enqueue([held, free])
      expect(await claimResult(sql, 10)).toMatchObject({ claimed: [{ webhookId: free }], hasHeldEndpoints: true })
      await enqueue([held])
    })
    expect(await countMarks()).toBe(2)
    expect(await claimResult(sql, 10)).toMatchObject({
      claimed: [{ webhookId: held }, { webhookId: held }],
      hasHeldEndpoints: false,
    })
    expect(await countMarks()).toBe(0)
  })

  it('keeps a mark that is added while a claim runs', async () => {
    const webhookId = await addEndpoint(sql, 'ws_1')
    await enqueue([webhookId])
    const claiming = await sql.connect()
    try {
      await claiming.query('BEGIN')
      const query: Query = async <Row>(text: string, values: readonly unknown[] = []) =>
        (await claiming.query(text, [...values])).rows as Row[] // the statement names the columns
      expect(await absorbDueMarks(query)).toBe(false)
      await enqueue([webhookId])
      await claiming.query('COMMIT')
    } finally {
      claiming.release()
    }
    expect(await countMarks()).toBe(1)
    expect(await claim()).toEqual([webhookId, webhookId])
    expect(await countMarks()).toBe(0)
    expect(await findMsUntilReady(sql, { includesReady: true })).toBeGreaterThan(60_000)
  })

  it('leaves no mark of a removed subscription, and keeps those of a held endpoint', async () => {
    const [held, removed] = [await addEndpoint(sql, 'ws_1'), await addEndpoint(sql, 'ws_1')]
    await withHeldEndpoints([held, removed], () => enqueue([removed]))
    await sql.query('DELETE FROM subscriptions WHERE webhook_id = $1', [removed])
    await withHeldEndpoints([held], async () => {
      await enqueue([held])
      expect(await claim()).toEqual([])
      expect(await countMarks()).toBe(1)
    })
    expect(await claim()).toEqual([held])
    expect(await countMarks()).toBe(0)
  })
})
