import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deleteExpired } from '@wp/jobs/background'
import { eventually, failFirst, type Receiver, respond, startReceiver } from '@wp/testkit'
import { attemptHoursRetention } from '../../src/store/retention.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

describe('the statistics of a subscription', () => {
  let harness: Harness
  let receiver: Receiver
  beforeAll(async () => {
    harness = await startHarness()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await harness?.stop()
    await receiver?.close()
  })

  const stats = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data.stats

  it('contain success rate, latency, pending deliveries and the next attempt', async () => {
    receiver.setResponder(failFirst(1, respond(500), respond(200, { delayMs: 30 })), '/counted')
    const id = await harness.subscribe({ endpoint: receiver.url('/counted'), events: ['RECOMMENDATION_CREATED'] })
    for (let index = 0; index < 4; index += 1) await harness.publish('RECOMMENDATION_CREATED')
    await eventually(async () => (await harness.deliveries(id, '?status=delivered')).length === 4)
    const first = await stats(id)
    expect(first).toMatchObject({ pending: 0, delivered: 4, failed: 0, next_attempt_at: null, window_hours: 24 })
    expect(first.success_rate).toBeCloseTo(0.5)
    expect(first.latency_p50_ms).toBeGreaterThan(27)
    expect(first.latency_p95_ms).toBeGreaterThanOrEqual(first.latency_p50_ms)

    await harness.sql.query(`UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = $1`, [id])
    await harness.publish('RECOMMENDATION_CREATED')
    await eventually(async () => (await stats(id)).pending === 1)
    expect(Date.parse((await stats(id)).next_attempt_at) - Date.now()).toBeGreaterThan(3_500_000)
    // The list shows the same statistics.
    const { body } = await harness.call('GET', '/webhooks')
    expect(body.data[0].stats).toMatchObject({ pending: 1, success_rate: first.success_rate })
  })

  it('leave out attempts older than a day, whose counts are deleted after 32 days', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/old'), events: ['FORECASTING_FAILED'] })
    await harness.publish('FORECASTING_FAILED')
    await eventually(async () => (await stats(id)).success_rate === 1)
    await harness.sql.query(`UPDATE attempt_hours SET hour = hour - interval '30 hours' WHERE webhook_id = $1`, [id])
    expect(await stats(id)).toMatchObject({ delivered: 1, success_rate: null, latency_p50_ms: null })
    await harness.sql.query(`UPDATE attempt_hours SET hour = hour - interval '30 days' WHERE webhook_id = $1`, [id])
    expect(await deleteExpired(harness.sql, attemptHoursRetention)).toBe(0)
    await harness.sql.query(`UPDATE attempt_hours SET hour = hour - interval '1 day' WHERE webhook_id = $1`, [id])
    expect(await deleteExpired(harness.sql, attemptHoursRetention)).toBe(1)
  })
})
