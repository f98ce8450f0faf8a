import { afterAll, describe, expect, it } from '@jest/globals'
import { inWorkerTransaction } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import { lockIdleEndpoints } from '../../src/store/deliveries/idle-endpoints.ts'
import { markDue } from '../../src/store/endpoints/due-marks.ts'
import { addBacklog, addDueDelivery, addEndpoint } from '../fixture/backlog.ts'
import { claimResult } from '../fixture/claim.ts'

const leaseSeconds = 20

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)

afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** Returns what can be leased of an endpoint; undefined if its deliveries are left to the claims. */
const lock = (webhookId: string) =>
  inWorkerTransaction(
    sql,
    async (_, query) => (await lockIdleEndpoints(query, { webhookIds: [webhookId] }, leaseSeconds))[0],
  )

const update = (table: string, assignment: string, webhookId: string) =>
  sql.query(`UPDATE ${table} SET ${assignment} WHERE webhook_id = $1`, [webhookId])

describe('lockIdleEndpoints', () => {
  it('returns an endpoint at which nothing is due, with its free slots', async () => {
    const webhookId = await addEndpoint(sql, 'ws_1')
    expect(await lock(webhookId)).toMatchObject({
      webhookId,
      endpoint: 'https://x/',
      freeSlots: 4,
      needsLeaseEnd: true,
    })
    await addBacklog(sql, webhookId, 3)
    await update('deliveries', `lease_token = 'other', next_attempt_at = now() + interval '10 s'`, webhookId)
    await update('endpoints', `next_due_at = now() + interval '10 s'`, webhookId)
    expect(await lock(webhookId)).toMatchObject({ freeSlots: 1, needsLeaseEnd: false })
    await update('endpoints', `next_due_at = now() + interval '1 hour'`, webhookId)
    expect(await lock(webhookId)).toMatchObject({ needsLeaseEnd: true })
    await update('endpoints', 'in_flight_cap = 3', webhookId)
    expect(await lock(webhookId)).toBeUndefined()
  })

  it.each([
    ['endpoints', 'is_enabled = false'],
    ['endpoints', 'is_strict = true'],
    ['endpoints', 'is_polled = true'],
    ['endpoints', 'rate_limit = 100'],
    ['endpoints', 'consecutive_failures = 1'],
    ['endpoints', `held_until = now() + interval '1 minute'`],
    ['endpoints', `saturated_until = now() + interval '1 minute'`],
    ['endpoints', `next_due_at = now() - interval '1 minute'`],
    ['subscriptions', `status = 'disabled'`],
  ])('leaves an endpoint to the claims when its row of %s has %s', async (table, assignment) => {
    const webhookId = await addEndpoint(sql, 'ws_1')
    await update(table, assignment, webhookId)
    expect(await lock(webhookId)).toBeUndefined()
  })

  it('returns the first idle endpoints of workspaces with a subscription to a kind', async () => {
    const [first, second] = [await addEndpoint(sql, 'ws_2'), await addEndpoint(sql, 'ws_2')].sort()
    await addEndpoint(sql, 'ws_3')
    const find = (kinds: string[], limit: number) =>
      inWorkerTransaction(sql, async (_, query) =>
        (await lockIdleEndpoints(query, { workspaces: { ids: ['ws_2'], kinds, limit } }, leaseSeconds)).map(
          (e) => e.webhookId,
        ),
      )
    await update('subscriptions', `events = '{RECOMMENDATION_CREATED}'`, first ?? '')
    await update('subscriptions', `events = '{SYNC_COMPLETED}'`, second ?? '')
    expect(await find(['RECOMMENDATION_CREATED'], 9)).toEqual([first])
    expect(await find(['SYNC_COMPLETED', 'RECOMMENDATION_CREATED'], 9)).toEqual([first, second])
    expect(await find(['SYNC_COMPLETED', 'RECOMMENDATION_CREATED'], 1)).toEqual([first])
  })

  it('leaves an endpoint to the claims while it is marked as due', async () => {
    const webhookId = await addEndpoint(sql, 'ws_1')
    await inWorkerTransaction(sql, (_, query) => markDue(query, [webhookId]))
    expect(await lock(webhookId)).toBeUndefined()
  })

  it('does not keep claims from an endpoint at which deliveries are due', async () => {
    await sql.query('DELETE FROM subscriptions')
    const webhookId = await addEndpoint(sql, 'ws_1')
    await addBacklog(sql, webhookId, 1)
    await inWorkerTransaction(sql, async (_, query) => {
      expect(await lockIdleEndpoints(query, { webhookIds: [webhookId] }, leaseSeconds)).toEqual([])
      expect((await claimResult(sql, 10)).claimed).toHaveLength(1)
    })
  })

  it('keeps claims and other fan-outs from the endpoint until the end of the transaction', async () => {
    await sql.query('DELETE FROM subscriptions')
    const webhookId = await addEndpoint(sql, 'ws_1')
    await inWorkerTransaction(sql, async (_, query) => {
      expect(await lockIdleEndpoints(query, { webhookIds: [webhookId] }, leaseSeconds)).toHaveLength(1)
      expect(await lock(webhookId)).toBeUndefined()
      await inWorkerTransaction(sql, async (_client, other) => {
        await addDueDelivery(other, webhookId)
        await markDue(other, [webhookId])
      })
      expect(await claimResult(sql, 10)).toMatchObject({ claimed: [], hasHeldEndpoints: true })
    })
    expect((await claimResult(sql, 10)).claimed).toHaveLength(1)
  })
})
