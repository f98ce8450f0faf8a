import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, type Receiver, respond, startReceiver } from '@wp/testkit'
import { addBacklog } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  harness = await startHarness()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await harness?.stop()
})

const view = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data
const requestsTo = (path: string) => receiver.received.filter((request) => request.path === path)
const startTimes = async (webhookId: string): Promise<number[]> => {
  const { rows } = await harness.sql.query<{ ms: number }>(
    `SELECT extract(epoch FROM started_at)::float8 * 1000 AS ms FROM attempts JOIN deliveries USING (request_id)
     WHERE webhook_id = $1 ORDER BY started_at`,
    [webhookId],
  )
  return rows.map(({ ms }) => ms)
}

describe('a subscription with a rate limit', () => {
  it('gets its deliveries at that rate, retries included, and not as failures', async () => {
    const endpoint = receiver.url('/paced')
    receiver.setResponder((exchange) => respond(requestsTo('/paced').length % 4 === 1 ? 500 : 204)(exchange), '/paced')
    const id = await harness.subscribe({ endpoint, events: ['RECOMMENDATION_CREATED'], rate_limit: 20 })
    expect((await view(id)).rate_limit).toBe(20)
    await addBacklog(harness.sql, id, 12)
    harness.wakeDispatcher()
    await eventually(async () => (await view(id)).stats.delivered === 12)
    const times = await startTimes(id)
    expect(times.length).toBeGreaterThanOrEqual(15)
    // Two attempts may start at once; the others follow at 50 ms each.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual((times.length - 2) * 50 - 25)
    const { rows } = await harness.sql.query('SELECT DISTINCT error_kind, status_code FROM attempts')
    expect(rows.map((row) => [row.error_kind, row.status_code])).toEqual(
      expect.arrayContaining([
        [null, 204],
        [null, 500],
      ]),
    )
    expect(rows).toHaveLength(2)
  })

  it('does not delay another workspace, and a removed limit applies at once', async () => {
    const events = ['RECOMMENDATION_CREATED']
    const limited = await harness.subscribe({ endpoint: receiver.url('/slow'), events, rate_limit: 0.01 })
    await addBacklog(harness.sql, limited, 100)
    harness.wakeDispatcher()
    await eventually(() => requestsTo('/slow').length === 1)
    const workspaceId = newId('ws')
    await harness.subscribe({ endpoint: receiver.url('/quiet'), events: ['FORECASTING_FINISHED'] }, { workspaceId })
    for (let count = 1; count <= 5; count += 1) {
      await harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId })
      await eventually(() => requestsTo('/quiet').length === count)
    }
    expect(requestsTo('/slow')).toHaveLength(1)
    expect((await view(limited)).stats).toMatchObject({ pending: 99, failed: 0 })
    expect(Date.parse((await view(limited)).stats.next_attempt_at)).toBeGreaterThan(Date.now() + 30_000)
    await harness.call('PATCH', `/webhooks/${limited}`, { rate_limit: null })
    await eventually(() => requestsTo('/slow').length === 100)
  })
})
