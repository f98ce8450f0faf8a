import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import { releaseNextDeliveries } from '../../src/store/endpoints/waiting-deliveries.ts'
import { findAboveWatermark, writeWatermark } from '../../src/store/endpoints/watermark.ts'

let webhookId: string

const database = await createTestDatabase('webhook-delivery')
const sql = openWorkerPool(database.workerUrl, 4)

beforeEach(async () => {
  await sql.query('DELETE FROM subscriptions')
  await sql.query('DELETE FROM deliveries')
  await sql.query('DELETE FROM fan_out_watermark')
  webhookId = newId('wh')
  await sql.query(
    `INSERT INTO subscriptions (webhook_id, workspace_id, endpoint, events, ordering)
     VALUES ($1, 'ws_1', 'https://x/', '{*}', 'strict')`,
    [webhookId],
  )
  await sql.query(
    `INSERT INTO endpoints (webhook_id, workspace_id, is_strict, has_waiting) VALUES ($1, 'ws_1', true, true)`,
    [webhookId],
  )
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const [older, newer] = ['2026-01-05T09:30:00.123456Z', '2026-01-06T09:30:00.123456Z']

async function add(sequence: number, streamCreatedAt = newer): Promise<string> {
  const id = newId('dlv')
  await sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, occurred_at,
       stream_created_at, sequence) VALUES ($1, 'ws_1', $2, $1, 'RECOMMENDATION_CREATED', '{}', 'pending', now(), $4, $3)`,
    [id, webhookId, sequence, streamCreatedAt],
  )
  return id
}

const advanceTo = (sequence: number, isCaughtUp = false, streamCreatedAt = newer) =>
  writeWatermark(sql, { streamCreatedAt, sequence, isCaughtUp }, new Date(Date.now() + 60_000))
const releasedIds = async (): Promise<string[]> => {
  const { rows } = await sql.query('SELECT request_id FROM deliveries WHERE next_attempt_at IS NOT NULL')
  return rows.map((row) => row.requestId)
}
const end = () =>
  sql.query(`UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL`)

describe('releaseNextDeliveries', () => {
  it('releases no delivery above the watermark, where an earlier event may still be written', async () => {
    const eleven = await add(11)
    await advanceTo(10)
    expect(await releaseNextDeliveries(sql)).toMatchObject({ isReleased: false })
    expect(await findAboveWatermark(sql)).toBeInstanceOf(Date)
    const ten = await add(10)
    await advanceTo(11)
    expect(await findAboveWatermark(sql)).toBeUndefined()
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([ten])
    // One delivery at a time.
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([ten])
    await end()
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([eleven])
  })

  it('releases a delivery once when it runs concurrently', async () => {
    const ids = [await add(1), await add(2), await add(3)]
    await advanceTo(3)
    await Promise.all(Array.from({ length: 4 }, () => releaseNextDeliveries(sql)))
    expect(await releasedIds()).toEqual([ids[0]])
  })

  it('releases deliveries of an earlier stream first', async () => {
    const [after, before] = [await add(1, newer), await add(1_000, older)]
    await advanceTo(1)
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([before])
    await end()
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([after])
  })

  it('continues when the broker has lost its newest messages and numbers new ones from there', async () => {
    const [lost, again] = [await add(980), await add(990)]
    await advanceTo(950)
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([])
    // All messages are processed, so waiting deliveries with a higher number were fanned out before the loss.
    await advanceTo(950, true)
    await add(951)
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([lost])
    await end()
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([again])
    await end()
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([])
  })

  it('releases no delivery after a deferred event of its workspace', async () => {
    const [ten, eleven] = [await add(10), await add(11)]
    await advanceTo(11)
    const defer = (workspaceId: string, sequence: number) =>
      sql.query(
        `INSERT INTO platform.deferred_events (consumer, event_id, workspace_id, event, stream_created_at, sequence)
         VALUES ('webhook-delivery_deliveries', $1, $2, '{}', $3, $4)`,
        [newId('evt'), workspaceId, newer, sequence],
      )
    await defer('ws_1', 11)
    await defer('ws_2', 1)
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([ten])
    await end()
    await defer('ws_1', 9)
    expect(await releaseNextDeliveries(sql)).toMatchObject({ isReleased: false })
    await sql.query('DELETE FROM platform.deferred_events')
    await releaseNextDeliveries(sql)
    expect(await releasedIds()).toEqual([eleven])
  })

  it('clears the mark of an endpoint without waiting deliveries', async () => {
    await releaseNextDeliveries(sql)
    expect((await sql.query('SELECT has_waiting FROM endpoints')).rows).toEqual([{ hasWaiting: false }])
  })
})
