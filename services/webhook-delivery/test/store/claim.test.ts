import { afterAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import type { SlotHolder } from '../../src/delivery/slot-use.ts'
import type { ClaimedDelivery } from '../../src/store/deliveries/claim-rows.ts'
import { findMsUntilReady } from '../../src/store/deliveries/ready-endpoints.ts'
import { markDue } from '../../src/store/endpoints/due-marks.ts'
import { addBacklog, addDueDelivery, addEndpoint } from '../fixture/backlog.ts'
import { claim as claimFrom, claimResult, type TestClaimOptions } from '../fixture/claim.ts'

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)

afterAll(async () => {
  await sql.end()
  await database.drop()
})

async function addReadyEndpoint(due: number, workspaceId = 'ws_1'): Promise<string> {
  const webhookId = await addEndpoint(sql, workspaceId)
  if (due > 0) await addBacklog(sql, webhookId, due)
  return webhookId
}

const claim = (maxClaimSize: number, options?: TestClaimOptions) => claimFrom(sql, maxClaimSize, options)

const attempt = (workspaceId: string, destination: string): SlotHolder => ({
  workspaceId,
  destination,
  isEndpointFailing: false,
})

const perEndpoint = (claimed: readonly ClaimedDelivery[]) =>
  new Map([...Map.groupBy(claimed, (row) => row.webhookId)].map(([id, rows]) => [id, rows.length]))

const removeAll = () => sql.query('DELETE FROM subscriptions').then(() => sql.query('DELETE FROM deliveries'))

describe('claimDueDeliveries', () => {
  it('claims a few deliveries of each endpoint, however many one of them has', async () => {
    const dead = await addReadyEndpoint(2_000)
    const others: string[] = []
    for (let index = 0; index < 60; index += 1) others.push(await addReadyEndpoint(6))
    const first = perEndpoint(await claim(200))
    expect(first.size).toBe(50)
    expect([...first.values()].every((rows) => rows === 4)).toBe(true)
    const second = perEndpoint(await claim(200))
    // Least recently served first: the endpoints of the first claim have no free slots until an attempt ends.
    expect([...second.keys()].filter((id) => first.has(id))).toEqual([])
    expect(new Set([...first.keys(), ...second.keys()])).toEqual(new Set([dead, ...others]))
    await removeAll()
  })

  it('says whether the next claim may take more', async () => {
    await addReadyEndpoint(1)
    expect(await claimResult(sql, 200)).toMatchObject({ hasMore: false, isLimited: false })
    // All slots of the endpoint are taken: the next claim follows the end of an attempt.
    await addReadyEndpoint(9)
    expect(await claimResult(sql, 200)).toMatchObject({ hasMore: false, isLimited: false })
    await addReadyEndpoint(9)
    expect(await claimResult(sql, 2)).toMatchObject({ hasMore: true, isLimited: true })
    expect(await claimResult(sql, 0)).toMatchObject({ claimed: [], hasMore: false, isLimited: true })
    await removeAll()
  })

  it('never claims a delivery for two workers', async () => {
    for (let index = 0; index < 10; index += 1) await addReadyEndpoint(4)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(12)))
    const rest = await claim(200)
    const ids = [...claims.flat(), ...rest].map((row) => row.requestId)
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(40)
    await removeAll()
  })

  it('leaves out endpoints that are held, full or disabled', async () => {
    const [held, full, disabled, open] = [
      await addReadyEndpoint(9),
      await addReadyEndpoint(9),
      await addReadyEndpoint(9),
      await addReadyEndpoint(2),
    ]
    await sql.query(`UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = $1`, [held])
    await sql.query(`UPDATE endpoints SET saturated_until = now() + interval '1 hour' WHERE webhook_id = $1`, [full])
    await sql.query('UPDATE endpoints SET is_enabled = false WHERE webhook_id = $1', [disabled])
    expect(perEndpoint(await claim(200))).toEqual(new Map([[open, 2]]))
    expect(await claim(200)).toEqual([])
    expect(await findMsUntilReady(sql, { includesReady: true })).toBeGreaterThan(60_000)
    await removeAll()
  })

  it('leaves out failing endpoints while failing attempts use half of the slots', async () => {
    const failing = await addReadyEndpoint(1)
    await sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [failing])
    const inFlight = [attempt('ws_2', 'a'), attempt('ws_3', 'b')].map((each) => ({ ...each, isEndpointFailing: true }))
    expect(await claim(10, { inFlight, concurrency: 4 })).toEqual([])
    expect(await claim(10)).toMatchObject([{ webhookId: failing, isEndpointFailing: true }])
    await removeAll()
  })

  it('takes workspaces in turn, the least recently served first', async () => {
    for (let index = 0; index < 40; index += 1) await addReadyEndpoint(8, 'ws_many')
    const few = ['ws_a', 'ws_b', 'ws_c']
    for (const workspaceId of few) await addReadyEndpoint(8, workspaceId)
    await sql.query(`UPDATE endpoints SET last_served_at = now() - interval '1 hour'`)
    const order = ['ws_b', 'ws_many', 'ws_c', 'ws_a']
    for (const workspaceId of order)
      await sql.query(
        'UPDATE endpoints SET last_served_at = clock_timestamp() WHERE webhook_id = (' +
          'SELECT webhook_id FROM endpoints WHERE workspace_id = $1 LIMIT 1)',
        [workspaceId],
      )
    const workspacesOf = (rows: readonly ClaimedDelivery[]) => [...new Set(rows.map((row) => row.workspaceId))].sort()
    expect(workspacesOf(await claim(8))).toEqual(['ws_b', 'ws_many'])
    expect(workspacesOf(await claim(8))).toEqual(['ws_a', 'ws_c'])
    // The endpoints of the others have no free slots.
    expect(workspacesOf(await claim(8))).toEqual(['ws_many'])
    await removeAll()
  })

  it('leaves out endpoints of full destinations, and no others', async () => {
    const [x, y, other] = [await addReadyEndpoint(4), await addReadyEndpoint(4), await addReadyEndpoint(4, 'ws_2')]
    await sql.query(`UPDATE endpoints SET destination = 'https://x' WHERE webhook_id = ANY ($1)`, [[x, other]])
    const inFlight = Array.from({ length: 8 }, () => attempt('ws_1', 'https://x'))
    const claimed = perEndpoint(await claim(40, { inFlight, concurrency: 64 }))
    expect(claimed).toEqual(
      new Map([
        [y, 4],
        [other, 4],
      ]),
    )
    await removeAll()
  })

  it('claims a delivery again when its lease has expired, and records the lost attempt', async () => {
    await addReadyEndpoint(1)
    const [first] = await claim(10, { leaseSeconds: -1 })
    const [second] = await claim(10)
    expect(second).toMatchObject({ requestId: first?.requestId, attemptCount: 2, retriesUsed: 0 })
    expect(second?.leaseToken).not.toBe(first?.leaseToken)
    const { rows } = await sql.query('SELECT number, outcome, error_kind FROM attempts')
    expect(rows).toEqual([{ number: 1, outcome: 'failed', errorKind: 'lost' }])
    await removeAll()
  })

  it('keeps the mark of an endpoint when a delivery is added during a claim that finds none', async () => {
    const webhookId = await addReadyEndpoint(1)
    const adding = await sql.connect()
    const query = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await adding.query(text, [...values])).rows as Row[] // the statement names the columns
    try {
      await adding.query('BEGIN')
      await addDueDelivery(query, webhookId)
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
    expect(await findMsUntilReady(sql, { includesReady: true })).toBeGreaterThan(60_000)
    await removeAll()
  })
})
