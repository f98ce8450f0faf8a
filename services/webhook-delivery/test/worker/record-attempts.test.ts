import { afterAll, describe, expect, it } from '@jest/globals'
import { inWorkerTransaction, newId } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import type { EndedAttempt, NextState } from '../../src/delivery/next-state.ts'
import type { ClaimedDelivery } from '../../src/store/deliveries/claim-rows.ts'
import { recordAttempts } from '../../src/worker/record-attempts.ts'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { claim } from '../fixture/claim.ts'
import { delivered, ended, failed } from '../fixture/ended-attempt.ts'

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)
const webhookId = newId('wh')
await sql.query(
  `INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events) VALUES ($1, 'ws_1', 'https://x/', '{*}')`,
  [webhookId],
)
await sql.query(`INSERT INTO endpoints (webhook_id, workspace_id) VALUES ($1, 'ws_1')`, [webhookId])

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const claimOne = async (leaseSeconds = 20): Promise<ClaimedDelivery> => {
  const [claimed] = await claim(sql, 1, { leaseSeconds })
  if (claimed === undefined) throw new Error('nothing was due')
  return claimed
}

const stateOf = async ({ requestId }: ClaimedDelivery) => {
  const { rows } = await sql.query(
    `SELECT status, attempt_count, lease_token, retries_used, last_status_code,
       extract(epoch FROM next_attempt_at - updated_at)::float8 AS delay_seconds
     FROM deliveries WHERE request_id = $1`,
    [requestId],
  )
  return rows[0]
}

/** Deliveries that are to be reported to billing, by workspace. */
const deliveredCounts = async () => {
  const { rows } = await sql.query(
    'SELECT workspace_id, sum(delivered)::int AS delivered FROM delivered_counts GROUP BY workspace_id',
  )
  return rows
}

describe('recordAttempts', () => {
  it('writes an attempt and the next state of its delivery', async () => {
    await addBacklog(sql, webhookId, 1)
    const claimed = await claimOne()
    const end = ended(claimed, failed, { status: 'pending', delayMs: 60_000, retriesUsed: 1 })
    expect((await recordAttempts(sql, [end], [30])).written).toEqual(new Set([claimed.requestId]))
    expect(await stateOf(claimed)).toMatchObject({
      status: 'pending',
      leaseToken: null,
      retriesUsed: 1,
      lastStatusCode: 500,
    })
    expect((await stateOf(claimed)).delaySeconds).toBe(60)
    const { rows } = await sql.query('SELECT * FROM attempts WHERE request_id = $1', [claimed.requestId])
    expect(rows).toMatchObject([
      { id: end.attempt.id, responseHeaders: end.attempt.responseHeaders, responseBody: end.attempt.responseBody },
    ])
    await sql.query('DELETE FROM deliveries')
  })

  it('says whether a claim must follow', async () => {
    const id = await addEndpoint(sql, 'ws_2')
    const record = async (end: EndedAttempt) => (await recordAttempts(sql, [end], [30])).needsClaim
    const claimAll = async (): Promise<[ClaimedDelivery, ClaimedDelivery]> => {
      const [first, second] = await claim(sql, 200)
      if (first === undefined || second === undefined) throw new Error('fewer than two were due')
      return [first, second]
    }
    await addBacklog(sql, id, 2)
    const [first, second] = await claimAll()
    expect(await record(ended(first, delivered, {}))).toBe(false)
    const retry: Partial<NextState> = { status: 'pending', delayMs: 60_000, retriesUsed: 1 }
    expect(await record(ended(second, failed, retry))).toBe(true)
    await addBacklog(sql, id, 9) // more than the endpoint may have in flight
    const [one] = await claimAll()
    expect(await record(ended(one, delivered, {}))).toBe(true)
    await sql.query('DELETE FROM deliveries')
    await sql.query('DELETE FROM subscriptions WHERE webhook_id = $1', [id])
  })

  it('changes nothing when another worker has taken over the lease', async () => {
    await addBacklog(sql, webhookId, 1)
    const late = await claimOne(-1)
    const current = await claimOne()
    const before = await stateOf(current)
    expect((await recordAttempts(sql, [ended(late, delivered, {})], [30])).written).toEqual(new Set())
    expect(await stateOf(current)).toEqual(before)
    const { rows } = await sql.query('SELECT delivered_count FROM endpoints WHERE webhook_id = $1', [webhookId])
    expect(rows).toEqual([{ deliveredCount: 0 }])
    expect((await recordAttempts(sql, [ended(current, delivered, {})], [30])).written).toEqual(
      new Set([current.requestId]),
    )
    expect(await stateOf(current)).toMatchObject({ status: 'delivered', attemptCount: 2 })
    await sql.query('DELETE FROM deliveries')
  })

  it('keeps a delivery cancelled during the attempt, unless it was delivered', async () => {
    await addBacklog(sql, webhookId, 2)
    const [one, two] = [await claimOne(), await claimOne()]
    await sql.query(`UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL`)
    const retried = ended(one, failed, { status: 'pending', delayMs: 1, retriesUsed: 1 })
    await recordAttempts(sql, [retried, ended(two, delivered, {})], [30])
    expect(await stateOf(one)).toMatchObject({ status: 'cancelled', delaySeconds: null })
    expect(await stateOf(two)).toMatchObject({ status: 'delivered', delaySeconds: null })
  })

  it('counts delivered deliveries for billing, each once', async () => {
    await sql.query('DELETE FROM deliveries')
    await sql.query('DELETE FROM delivered_counts')
    await addBacklog(sql, webhookId, 3)
    const late = await claimOne(-1)
    const [first, second, third] = [await claimOne(), await claimOne(), await claimOne()]
    const retried = ended(third, failed, { status: 'pending', delayMs: 1, retriesUsed: 1 })
    await recordAttempts(sql, [ended(late, delivered, {}), ended(first, delivered, {})], [30])
    await recordAttempts(sql, [ended(second, delivered, {}), retried], [30])
    expect(await deliveredCounts()).toEqual([{ workspaceId: 'ws_1', delivered: 2 }])
  })

  it('does not wait for a report to billing', async () => {
    await sql.query('DELETE FROM delivered_counts')
    await addBacklog(sql, webhookId, 2)
    await recordAttempts(sql, [ended(await claimOne(), delivered, {})], [30])
    const reporter = openWorkerPool(database.workerUrl, 1)
    await inWorkerTransaction(reporter, async (_client, query) => {
      expect(await query('DELETE FROM delivered_counts RETURNING delivered')).toEqual([{ delivered: 1 }])
      await recordAttempts(sql, [ended(await claimOne(), delivered, {})], [30])
    })
    await reporter.end()
    expect(await deliveredCounts()).toEqual([{ workspaceId: 'ws_1', delivered: 1 }])
  })

  it('reads no table as a whole, nor does a claim, although it was first planned for few deliveries', async () => {
    const connection = openWorkerPool(database.workerUrl, 1)
    const deliver = async (count: number) => {
      const claimed = await claim(connection, count)
      await recordAttempts(
        connection,
        claimed.map((each) => ended(each, delivered, {})),
        [30],
      )
      return claimed.length
    }
    const countRowsOfWholeReads = async () => {
      await connection.query('SELECT pg_stat_force_next_flush()')
      const { rows } = await connection.query(
        `SELECT seq_tup_read::int AS rows FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
      )
      return rows[0].rows
    }
    const ids = await Promise.all(Array.from({ length: 20 }, () => addEndpoint(sql, 'ws_4')))
    for (let round = 0; round < 8; round += 1) {
      for (const id of ids) await addBacklog(sql, id, 1)
      await deliver(20)
    }
    for (const id of ids) await addBacklog(sql, id, 200)
    const before = await countRowsOfWholeReads()
    expect(await deliver(100)).toBe(100)
    expect(await countRowsOfWholeReads()).toBe(before)
    await connection.end()
  })
})
