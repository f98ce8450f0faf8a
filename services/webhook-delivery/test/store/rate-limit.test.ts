import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import { findMsUntilReady } from '../../src/store/deliveries/ready-endpoints.ts'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { claim } from '../fixture/claim.ts'

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)
afterEach(() => sql.query('DELETE FROM subscriptions').then(() => sql.query('DELETE FROM deliveries')))
afterAll(async () => {
  await sql.end()
  await database.drop()
})

async function addLimited(rateLimit: number, due = 40): Promise<string> {
  const id = await addEndpoint(sql, 'ws_1')
  await addBacklog(sql, id, due)
  await sql.query('UPDATE endpoints SET rate_limit = $2, in_flight_cap = 16 WHERE webhook_id = $1', [id, rateLimit])
  return id
}

const claimedOf = async (id: string) => (await claim(sql, 200)).filter(({ webhookId }) => webhookId === id).length

/** Lets time pass for an endpoint. */
const advance = (id: string, seconds: number) =>
  sql.query(
    `UPDATE endpoints SET rate_free_at = rate_free_at - $2 * interval '1 second',
       saturated_until = saturated_until - $2 * interval '1 second' WHERE webhook_id = $1`,
    [id, seconds],
  )

describe('the rate limit of an endpoint', () => {
  it('spaces attempts evenly: one per period, and none saved up', async () => {
    const id = await addLimited(0.01)
    expect(await claimedOf(id)).toBe(1)
    expect(await claimedOf(id)).toBe(0)
    await advance(id, 50)
    expect(await claimedOf(id)).toBe(0)
    await advance(id, 50)
    expect(await claimedOf(id)).toBe(1)
    await advance(id, 10_000)
    expect(await claimedOf(id)).toBe(1)
    expect(await claimedOf(id)).toBe(0)
  })

  it('lets the attempts of a tenth of a second start at once', async () => {
    const id = await addLimited(50)
    expect(await claimedOf(id)).toBe(5)
    const read = async () =>
      (
        await sql.query(
          'SELECT rate_free_at::timestamptz(3) AS at, saturated_until AS until FROM endpoints WHERE webhook_id = $1',
          [id],
        )
      ).rows
    const [{ at, until }] = await read()
    expect(until).toEqual(at)
  })

  it('counts the attempts of all replicas', async () => {
    const id = await addLimited(0.01)
    const claims = await Promise.all([claimedOf(id), claimedOf(id), claimedOf(id), claimedOf(id)])
    expect(claims.toSorted()).toEqual([0, 0, 0, 1])
  })

  it('is waited for, and delays no other endpoint', async () => {
    const limited = await addLimited(0.01)
    const other = await addEndpoint(sql, 'ws_2')
    await addBacklog(sql, other, 4)
    expect((await claim(sql, 200)).map(({ webhookId }) => webhookId).toSorted()).toEqual(
      [limited, ...Array(4).fill(other)].toSorted(),
    )
    const ms = await findMsUntilReady(sql, { includesReady: true })
    expect(ms).toBeGreaterThan(60_000)
    expect(ms).toBeLessThanOrEqual(100_000)
  })
})
