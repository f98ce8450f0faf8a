import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createTestDatabase, type TestDatabase } from '@wp/testkit'
import { Pool } from 'pg'
import { type ClaimedDelivery, claimDueDeliveries, findMsUntilReady } from '../../src/store/deliveries/claim.ts'
import { markDue } from '../../src/store/endpoints/due-marks.ts'
import { addBacklog } from '../fixture/backlog.ts'

let database: TestDatabase
let sql: Pool

beforeAll(async () => {
  database = await createTestDatabase('webhook-delivery')
  sql = new Pool({ connectionString: database.workerUrl, max: 4 })
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

async function addEndpoint(due: number): Promise<string> {
  const webhookId = newId('wh')
  await sql.query(
    `INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events) VALUES ($1, 'ws_1', 'https://x/', '{*}')`,
    [webhookId],
  )
  await sql.query(`INSERT INTO endpoints (webhook_id, workspace_id) VALUES ($1, 'ws_1')`, [webhookId])
  if (due > 0) await addBacklog(sql, webhookId, due)
  return webhookId
}

const claim = (free: number, options: { includesFailing?: boolean; leaseSeconds?: number } = {}) =>
  claimDueDeliveries(sql, {
    free,
    includesFailing: true,
    leaseToken: crypto.randomUUID(),
    leaseSeconds: 600,
    ...options,
  })

const perEndpoint = (claimed: readonly ClaimedDelivery[]) =>
  new Map([...Map.groupBy(claimed, (row) => row.webhookId)].map(([id, rows]) => [id, rows.length]))

const removeAll = () => sql.query('DELETE FROM subscriptions').then(() => sql.query('DELETE FROM deliveries'))

describe('claimDueDeliveries', () => {
  it('claims a few deliveries of each endpoint, however many one of them has', async () => {
    const dead = await addEndpoint(20_000)
    const others: string[] = []
    for (let index = 0; index < 60; index += 1) others.push(await addEndpoint(6))
    const first = perEndpoint(await claim(200))
    expect(first.size).toBe(50)
    expect([...first.values()].every((rows) => rows === 4)).toBe(true)
    const second = perEndpoint(await claim(200))
    // Least recently served first: the endpoints of the first claim have no free slots until an attempt ends.
    expect([...second.keys()].filter((id) => first.has(id))).toEqual([])
    expect(new Set([...first.keys(), ...second.keys()])).toEqual(new Set([dead, ...others]))
    await removeAll()
  })

  it('never claims a delivery for two workers', async () => {
    for (let index = 0; index < 10; index += 1) await addEndpoint(4)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(12)))
    const rest = await claim(200)
    const ids = [...claims.flat(), ...rest].map((row) => row.requestId)
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(40)
    await removeAll()
  })

  it('leaves out endpoints that are held, full or disabled', async () => {
    const [held, full, disabled, open] = [
      await addEndpoint(9),
      await addEndpoint(9),
      await addEndpoint(9),
      await addEndpoint(2),
    ]
    await sql.query(`UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = $1`, [held])
    await sql.query(`UPDATE endpoints SET full_until = now() + interval '1 hour' WHERE webhook_id = $1`, [full])
    await sql.query('UPDATE endpoints SET enabled = false WHERE webhook_id = $1', [disabled])
    expect(perEndpoint(await claim(200))).toEqual(new Map([[open, 2]]))
    expect(await claim(200)).toEqual([])
    expect(await findMsUntilReady(sql)).toBeGreaterThan(60_000)
    await removeAll()
  })

  it('leaves out failing endpoints when they are not included', async () => {
    const failing = await addEndpoint(1)
    await sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [failing])
    expect(await claim(10, { includesFailing: false })).toEqual([])
    expect(await claim(10)).toMatchObject([{ webhookId: failing, isEndpointFailing: true }])
    await removeAll()
  })

  it('claims a delivery again when its lease has expired, and records the lost attempt', async () => {
    await addEndpoint(1)
    const [first] = await claim(10, { leaseSeconds: -1 })
    const [second] = await claim(10)
    expect(second).toMatchObject({ requestId: first?.requestId, number: 2, retriesUsed: 0 })
    expect(second?.leaseToken).not.toBe(first?.leaseToken)
    const { rows } = await sql.query('SELECT number, outcome, error_kind FROM attempts')
    expect(rows).toEqual([{ number: 1, outcome: 'failed', error_kind: 'lost' }])
    await removeAll()
  })

  it('keeps the mark of an endpoint when a delivery is added during a claim that finds none', async () => {
    const webhookId = await addEndpoint(1)
    const adding = await sql.connect()
    const query = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await adding.query(text, [...values])).rows as Row[] // the statement names the columns
    try {
      await adding.query('BEGIN')
      await adding.query(
        `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status,
           next_attempt_at, occurred_at)
         VALUES ($1, 'ws_1', $2, 'evt_1', 'RECOMMENDATION_CREATED', '{}', 'pending', now() - interval '1 second', now())`,
        [newId('dlv'), webhookId],
      )
      // The first delivery has marked the endpoint already, so this only takes the lock.
      await markDue(query, [webhookId])
      expect(await claim(10)).toHaveLength(1)
      expect(await claim(10)).toHaveLength(0)
      await adding.query('COMMIT')
    } finally {
      adding.release()
    }
    expect(await claim(10)).toHaveLength(1)
    expect(await claim(10)).toHaveLength(0)
    expect(await findMsUntilReady(sql)).toBeGreaterThan(60_000)
    await removeAll()
  })
})
