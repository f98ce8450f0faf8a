import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, failFirst, type Responder, respond, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ HOLD_SCHEDULE_SECONDS: '0.02' })
const receiver = await startReceiver()
const observerId = await harness.subscribe({
  endpoint: receiver.url('/observer'),
  events: ['WEBHOOK_FAILING', 'WEBHOOK_DISABLED'],
})

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

/** Returns the events sent to the other subscription about an endpoint, WEBHOOK_FAILING before WEBHOOK_DISABLED. */
const notificationsOf = (id: string) =>
  receiver.received
    .filter(({ path }) => path === '/observer')
    .map(({ body }) => JSON.parse(body.toString()))
    .map(({ event, payload }) => ({ event, ...payload }))
    .filter((notification) => notification.id === id)
    .sort((a, b) => (a.event < b.event ? 1 : -1))

/** Waits for the first event about an endpoint, or for so many. */
const notified = (id: string, count = 1) =>
  eventually(() => notificationsOf(id).length >= count && notificationsOf(id), { description: 'the notification' })

/** Sets the failures of an endpoint, and the days since the first of them and since it was last healthy. */
async function setFailureHistory(
  webhookId: string,
  attempts: number,
  failingDays: number,
  unhealthyDays: number,
): Promise<void> {
  await harness.sql.query(
    `UPDATE endpoints SET failed_attempts = $2, failing_since = now() - $3 * interval '1 day',
       last_healthy_at = now() - $4 * interval '1 day' WHERE webhook_id = $1`,
    [webhookId, attempts, failingDays, unhealthyDays],
  )
}

const subscription = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data
const readFailureHistory = async (id: string) =>
  (
    await harness.sql.query(
      'SELECT failed_attempts, failing_since, auth_failures, pending_actions FROM endpoints WHERE webhook_id = $1',
      [id],
    )
  ).rows[0]
const hasEnded = ({ status }: { status: string }) => status === 'failed'

describe('an endpoint that reaches the thresholds', () => {
  it('is disabled and the others are notified; events are skipped until it is enabled', async () => {
    const enabled = Promise.withResolvers<void>()
    // The second failure reaches the threshold; a third attempt can begin before the endpoint is disabled.
    const afterEnabling: Responder = async (exchange) => {
      await enabled.promise
      await respond(200)(exchange)
    }
    receiver.setResponder(failFirst(2, respond(500), afterEnabling), '/dead')
    const id = await harness.subscribe({ endpoint: receiver.url('/dead') })
    await setFailureHistory(id, 18, 6, 6)
    await harness.publish('RECOMMENDATION_CREATED')
    expect(await notified(id, 2)).toMatchObject([
      { event: 'WEBHOOK_FAILING', advice: 'check_endpoint' },
      { event: 'WEBHOOK_DISABLED', status: 'disabled', reason: 'failing' },
    ])
    expect(await subscription(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    const { rows } = await harness.sql.query(
      `SELECT data->'changes'->>'reason' AS reason FROM platform.outbox
       WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'webhook.disabled' AND data::text LIKE '%' || $1 || '%'`,
      [id],
    )
    expect(rows).toEqual([{ reason: 'failing' }])

    const missed = await harness.publish('FORECASTING_FAILED')
    await harness.delivery(id, ({ event_id, status }) => event_id === missed.id && status === 'skipped')
    expect((await harness.deliveries(id)).map(({ event }) => event)).not.toContain('WEBHOOK_DISABLED')

    await harness.call('PATCH', `/webhooks/${id}`, { status: 'active' })
    expect(await readFailureHistory(id)).toMatchObject({ failing_since: null, failed_attempts: 0, pending_actions: [] })
    enabled.resolve()
    await harness.delivery(id, ({ event, status }) => event === 'RECOMMENDATION_CREATED' && status === 'delivered')
    await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is not disabled when the failures are of tests and resends', async () => {
    receiver.setResponder(respond(500), '/manual')
    const id = await harness.subscribe({ endpoint: receiver.url('/manual'), events: ['RECOMMENDATION_CREATED'] })
    await harness.publish('RECOMMENDATION_CREATED')
    const { request_id: requestId } = await harness.delivery(id, hasEnded)
    const before = await readFailureHistory(id)
    expect(before.failed_attempts).toBe(4)
    await setFailureHistory(id, 19, 6, 6)
    await harness.call('POST', `/webhooks/${id}/test`)
    await harness.delivery(id, ({ event, status }) => event === 'WEBHOOK_TEST' && status === 'failed')
    await harness.call('POST', `/deliveries/${requestId}/resend`)
    await harness.delivery(id, ({ request_id, attempt_count, status }) =>
      Boolean(request_id === requestId && attempt_count === 8 && status === 'failed'),
    )
    expect(await readFailureHistory(id)).toMatchObject({ failed_attempts: 19 })
    expect(await subscription(id)).toMatchObject({ status: 'active' })
    await harness.call('DELETE', `/webhooks/${id}`)
  })
})

describe('the owner of a failing endpoint', () => {
  it('is notified once after a day', async () => {
    receiver.setResponder(respond(503), '/a-day')
    const id = await harness.subscribe({ endpoint: receiver.url('/a-day'), events: ['RECOMMENDATION_CREATED'] })
    await setFailureHistory(id, 3, 1.5, 1.5)
    await harness.publish('RECOMMENDATION_CREATED')
    await harness.delivery(id, hasEnded)
    expect(await notified(id)).toMatchObject([
      { event: 'WEBHOOK_FAILING', status: 'failing', advice: 'check_endpoint', failing_since: expect.any(String) },
    ])
    expect(await subscription(id)).toMatchObject({ status: 'active' })
    await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is notified after five responses of 401 and advised to rotate the secret', async () => {
    receiver.setResponder(respond(401), '/refuses')
    const id = await harness.subscribe({
      endpoint: receiver.url('/refuses'),
      events: ['RECOMMENDATION_CREATED', 'FORECASTING_FAILED'],
    })
    await harness.publish('RECOMMENDATION_CREATED')
    await harness.publish('FORECASTING_FAILED')
    expect(await notified(id)).toMatchObject([{ status: 'failing', advice: 'rotate_secret' }])
    await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is notified when the process stopped before it executed the action', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/left'), events: ['RECOMMENDATION_CREATED'] })
    await setFailureHistory(id, 3, 1.5, 1.5)
    await harness.sql.query(`UPDATE endpoints SET pending_actions = '{failing_1_day}' WHERE webhook_id = $1`, [id])
    expect(await notified(id)).toMatchObject([{ event: 'WEBHOOK_FAILING' }])
    expect(await harness.deliveries(observerId, '?event=WEBHOOK_FAILING')).not.toEqual([])
    await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is notified once in twelve hours, however often the endpoint recovers and fails again', async () => {
    receiver.setResponder(respond(403), '/flapping')
    const id = await harness.subscribe({ endpoint: receiver.url('/flapping'), events: ['RECOMMENDATION_CREATED'] })
    const fail = async () => {
      // As after four auth_failures since a success.
      await harness.sql.query(
        `UPDATE endpoints SET auth_failures = 4, triggered_actions = '{}' WHERE webhook_id = $1`,
        [id],
      )
      const { id: eventId } = await harness.publish('RECOMMENDATION_CREATED')
      await harness.delivery(id, ({ event_id, status }) => event_id === eventId && status === 'failed')
      await eventually(async () => (await readFailureHistory(id)).pending_actions.length === 0)
    }
    const notices = async () => {
      const { rows } = await harness.sql.query(
        `SELECT FROM platform.outbox WHERE kind = 'WEBHOOK_FAILING' AND data->>'id' = $1`,
        [id],
      )
      return rows.length
    }
    await fail()
    expect(await notices()).toBe(1)
    await fail()
    expect(await notices()).toBe(1)
    await harness.sql.query(
      `UPDATE endpoints SET notified_at = notified_at - interval '12 hours' WHERE webhook_id = $1`,
      [id],
    )
    await fail()
    expect(await notices()).toBe(2)
    await harness.call('PATCH', `/webhooks/${id}`, { secret: 'a secret of the receiver' })
    await fail()
    expect(await notices()).toBe(3)
    await harness.call('DELETE', `/webhooks/${id}`)
  })
})
