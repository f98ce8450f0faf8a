import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, respond, startReceiver } from '@wp/testkit'
import { addBacklog } from '../fixture/backlog.ts'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()
afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const view = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data
const requestsTo = (path: string) => receiver.received.filter((request) => request.path === path)
/** The database's clock, which paces the attempts, and the time from which the next attempt is counted, in ms. */
const readPace = async (webhookId: string) => {
  const { rows } = await harness.sql.query<{ now: number; freeAt: number | null }>(
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
       extract(epoch FROM rate_free_at)::float8 * 1000 AS "freeAt"
     FROM endpoints WHERE webhook_id = $1`,
    [webhookId],
  )
  return { now: rows[0]?.now ?? Number.NaN, freeAt: rows[0]?.freeAt ?? Number.NaN }
}

describe('a subscription with a rate limit', () => {
  it('gets its deliveries at that rate, retries included, and not as failures', async () => {
    const endpoint = receiver.url('/paced')
    receiver.setResponder((exchange) => respond(requestsTo('/paced').length % 4 === 1 ? 500 : 204)(exchange), '/paced')
    const id = await harness.subscribe({ endpoint, events: ['RECOMMENDATION_CREATED'], rate_limit: 20 })
    expect((await view(id)).rate_limit).toBe(20)
    const start = await readPace(id)
    await addBacklog(harness.sql, id, 12)
    harness.wakeDispatcher()
    await eventually(async () => (await view(id)).stats.delivered === 12)
    const end = await readPace(id)
    const attempts = requestsTo('/paced').length
    expect(attempts).toBeGreaterThanOrEqual(15)
    // Two attempts may start at once; the others follow at 50 ms each.
    expect(end.freeAt - start.now).toBeGreaterThanOrEqual((attempts - 1) * 50)
    expect(end.now - start.now).toBeGreaterThanOrEqual((attempts - 2) * 50)
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
