import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import type { ClaimedDelivery } from '../../src/store/deliveries/claim-rows.ts'
import { renewLeases } from '../../src/store/deliveries/leases.ts'
import { addBacklog } from '../fixture/backlog.ts'
import { claim } from '../fixture/claim.ts'

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)

beforeEach(async () => {
  await sql.query('DELETE FROM subscriptions')
  await sql.query('DELETE FROM deliveries')
  const webhookId = newId('wh')
  await sql.query(
    `INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events) VALUES ($1, 'ws_1', 'https://x/', '{*}')`,
    [webhookId],
  )
  await sql.query(`INSERT INTO endpoints (webhook_id, workspace_id) VALUES ($1, 'ws_1')`, [webhookId])
  await addBacklog(sql, webhookId, 1)
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

async function claimOne(leaseSeconds: number): Promise<ClaimedDelivery> {
  const [claimed] = await claim(sql, 1, { leaseSeconds })
  if (claimed === undefined) throw new Error('nothing was due')
  return claimed
}

const readLeaseEnd = async (): Promise<Date | null> =>
  (await sql.query('SELECT next_attempt_at FROM deliveries')).rows[0].nextAttemptAt

describe('renewLeases', () => {
  it('extends a lease, also one that has expired and was not taken over', async () => {
    for (const leaseSeconds of [600, -1]) {
      const claimed = await claimOne(leaseSeconds)
      const before = await readLeaseEnd()
      await renewLeases(sql, [claimed], 1_200)
      const after = await readLeaseEnd()
      expect(after?.getTime()).toBeGreaterThanOrEqual((before?.getTime() ?? 0) + 600_000)
      await sql.query(`UPDATE deliveries SET next_attempt_at = now() - interval '1 second', lease_token = NULL`)
      await sql.query(`UPDATE endpoints SET saturated_until = NULL, next_due_at = now() - interval '1 second'`)
    }
  })

  it('does not extend a lease that another worker has taken over', async () => {
    const lost = await claimOne(-1)
    await claimOne(600)
    const before = await readLeaseEnd()
    await renewLeases(sql, [lost], 1_200)
    expect(await readLeaseEnd()).toEqual(before)
  })

  it('changes nothing when the delivery was cancelled', async () => {
    const claimed = await claimOne(600)
    await sql.query(`UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL`)
    await renewLeases(sql, [claimed], 1_200)
    expect(await readLeaseEnd()).toBeNull()
  })

  it('does not wait for a row that is being recorded', async () => {
    const claimed = await claimOne(600)
    const before = await readLeaseEnd()
    const recording = await sql.connect()
    try {
      await recording.query('BEGIN')
      await recording.query('SELECT FROM deliveries FOR UPDATE')
      await renewLeases(sql, [claimed], 1_200)
      await recording.query('COMMIT')
    } finally {
      recording.release()
    }
    expect(await readLeaseEnd()).toEqual(before)
  })
})
