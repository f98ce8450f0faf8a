import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, failFirst, type Receiver, respond, startReceiver } from '@wp/testkit'
import { emptyHistogram, estimateQuantile, mergeHistograms, toBucket } from '../../src/delivery/latency-histogram.ts'
import { removeOldAttemptHours } from '../../src/store/retention.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

const counted = (durations: readonly number[]): number[] => {
  const counts = emptyHistogram()
  for (const ms of durations) counts[toBucket(ms)] = (counts[toBucket(ms)] ?? 0) + 1
  return counts
}

describe('latencies', () => {
  it('are known to 10 % from a fixed number of counts', () => {
    const durations = Array.from({ length: 1_000 }, (_, index) => 1.5 * 1.009 ** index)
    const counts = counted(durations)
    expect(counts).toHaveLength(64)
    for (const share of [0.01, 0.5, 0.95, 0.99]) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? Number.NaN
      expect(Math.abs((estimateQuantile(counts, share) ?? 0) / exact - 1)).toBeLessThan(0.1)
    }
  })

  it('stay within the counts, whatever they are, and add up', () => {
    expect([0, 0.2, 1, 3_600_000].map(toBucket)).toEqual([0, 0, 0, 63])
    expect(estimateQuantile(emptyHistogram(), 0.5)).toBeNull()
    expect(mergeHistograms([counted([1, 50]), counted([50])])).toEqual(counted([50, 1, 50]))
  })
})

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

  it('tell how its attempts went, how long they took, and what comes next', async () => {
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
    // In a list as in the subscription itself.
    const { body } = await harness.call('GET', '/webhooks')
    expect(body.data[0].stats).toMatchObject({ pending: 1, success_rate: first.success_rate })
  })

  it('forget what is older than a day, which then goes', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/old'), events: ['FORECASTING_FAILED'] })
    await harness.publish('FORECASTING_FAILED')
    await eventually(async () => (await stats(id)).success_rate === 1)
    await harness.sql.query(`UPDATE attempt_hours SET hour = hour - interval '30 hours' WHERE webhook_id = $1`, [id])
    expect(await stats(id)).toMatchObject({ delivered: 1, success_rate: null, latency_p50_ms: null })
    await harness.sql.query(`UPDATE attempt_hours SET hour = hour - interval '30 hours' WHERE webhook_id = $1`, [id])
    expect(await removeOldAttemptHours(harness.sql, 500)).toBe(1)
  })
})
