import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, type Receiver, respond, startReceiver } from '@wp/testkit'
import { startWorld, type World } from './fixture/world.ts'

let world: World
let receiver: Receiver
let witness: string

beforeAll(async () => {
  world = await startWorld({ HOLD_SCHEDULE_SECONDS: '0.02' })
  receiver = await startReceiver()
  witness = await world.subscribe({
    endpoint: receiver.url('/witness'),
    events: ['WEBHOOK_FAILING', 'WEBHOOK_DISABLED'],
  })
})

beforeEach(() => receiver.clear())

afterAll(async () => {
  await world?.stop()
  await receiver?.close()
})

/** What the others were told, in the order of its kinds. */
const told = () =>
  receiver.received
    .filter(({ path }) => path === '/witness')
    .map(({ body }) => JSON.parse(body.toString()))
    .map(({ event, payload }) => ({ event, ...payload }))
    .sort((a, b) => (a.event < b.event ? 1 : -1))

/** As if it had failed so often, since then, and been well last then. */
async function hasFailed(webhookId: string, attempts: number, sinceDays: number, wellDays: number): Promise<void> {
  await world.sql.query(
    `UPDATE endpoints SET failed_attempts = $2, failing_since = now() - $3 * interval '1 day',
       well_at = now() - $4 * interval '1 day' WHERE webhook_id = $1`,
    [webhookId, attempts, sinceDays, wellDays],
  )
}

const subscription = async (id: string) => (await world.call('GET', `/webhooks/${id}`)).body.data
const standing = async (id: string) =>
  (
    await world.sql.query(
      'SELECT failed_attempts, failing_since, refusals, owed FROM endpoints WHERE webhook_id = $1',
      [id],
    )
  ).rows[0]
const hasEnded = ({ status }: { status: string }) => status === 'failed'

describe('an endpoint that has failed for good', () => {
  it('is disabled, which the others hear of; what happens then is skipped, until it is enabled', async () => {
    receiver.behave(respond(500), '/dead')
    const id = await world.subscribe({ endpoint: receiver.url('/dead') })
    await hasFailed(id, 18, 6, 6)
    await world.publish('PLAN_CHANGED')
    const { body } = await receiver.waitFor(
      ({ path, headers }) => path === '/witness' && headers['x-webhook-event'] === 'WEBHOOK_DISABLED',
    )
    expect(JSON.parse(body.toString()).payload).toMatchObject({ id, status: 'disabled', reason: 'failing' })
    expect(await subscription(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    await eventually(() => told().length === 2)
    expect(told()[0]).toMatchObject({ event: 'WEBHOOK_FAILING', id, advice: 'check_endpoint' })
    const { rows } = await world.sql.query(
      `SELECT data->'changes'->>'reason' AS reason FROM platform.outbox
       WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'webhook.disabled'`,
    )
    expect(rows).toEqual([{ reason: 'failing' }])

    const missed = await world.publish('INVOICE_ISSUED')
    await world.delivery(id, ({ event_id, status }) => event_id === missed.id && status === 'skipped')
    expect((await world.deliveries(id)).map(({ event }) => event)).not.toContain('WEBHOOK_DISABLED')

    receiver.behave(respond(200), '/dead')
    await world.call('PATCH', `/webhooks/${id}`, { status: 'active' })
    expect(await standing(id)).toMatchObject({ failing_since: null, failed_attempts: 0, owed: [] })
    await world.delivery(id, ({ event, status }) => event === 'PLAN_CHANGED' && status === 'delivered')
    await world.call('DELETE', `/webhooks/${id}`)
  })

  it('is not for what a person sent: tests, and what was sent again', async () => {
    receiver.behave(respond(500), '/manual')
    const id = await world.subscribe({ endpoint: receiver.url('/manual'), events: ['PLAN_CHANGED'] })
    await world.publish('PLAN_CHANGED')
    const { request_id: requestId } = await world.delivery(id, hasEnded)
    const before = await standing(id)
    expect(before.failed_attempts).toBe(4)
    await hasFailed(id, 19, 6, 6)
    await world.call('POST', `/webhooks/${id}/test`)
    await world.delivery(id, ({ event, status }) => event === 'WEBHOOK_TEST' && status === 'failed')
    await world.call('POST', `/deliveries/${requestId}/resend`)
    await world.delivery(id, ({ request_id, attempt_count, status }) =>
      Boolean(request_id === requestId && attempt_count === 8 && status === 'failed'),
    )
    expect(await standing(id)).toMatchObject({ failed_attempts: 19 })
    expect(await subscription(id)).toMatchObject({ status: 'active' })
    await world.call('DELETE', `/webhooks/${id}`)
  })
})

describe('an endpoint that fails', () => {
  it('is said to after a day, once', async () => {
    receiver.behave(respond(503), '/a-day')
    const id = await world.subscribe({ endpoint: receiver.url('/a-day'), events: ['PLAN_CHANGED'] })
    await hasFailed(id, 3, 1.5, 1.5)
    await world.publish('PLAN_CHANGED')
    await world.delivery(id, hasEnded)
    const { body } = await receiver.waitFor(({ path }) => path === '/witness')
    expect(JSON.parse(body.toString())).toMatchObject({
      event: 'WEBHOOK_FAILING',
      payload: { id, status: 'failing', advice: 'check_endpoint', failing_since: expect.any(String) },
    })
    expect(await subscription(id)).toMatchObject({ status: 'active' })
    expect(told()).toHaveLength(1)
    await world.call('DELETE', `/webhooks/${id}`)
  })

  it('and answers 401 five times is said to at once: another secret may help', async () => {
    receiver.behave(respond(401), '/refuses')
    const id = await world.subscribe({ endpoint: receiver.url('/refuses'), events: ['PLAN_CHANGED', 'INVOICE_ISSUED'] })
    await world.publish('PLAN_CHANGED')
    await world.publish('INVOICE_ISSUED')
    const { body } = await receiver.waitFor(({ path }) => path === '/witness')
    expect(JSON.parse(body.toString()).payload).toMatchObject({ id, status: 'failing', advice: 'rotate_secret' })
    await world.call('DELETE', `/webhooks/${id}`)
  })

  it('is said to although the process died between concluding and saying', async () => {
    const id = await world.subscribe({ endpoint: receiver.url('/left'), events: ['PLAN_CHANGED'] })
    await hasFailed(id, 3, 1.5, 1.5)
    await world.sql.query(`UPDATE endpoints SET owed = '{failing_1_day}' WHERE webhook_id = $1`, [id])
    await receiver.waitFor(({ path }) => path === '/witness', { timeoutMs: 10_000 })
    expect(told()).toMatchObject([{ event: 'WEBHOOK_FAILING', id }])
    expect(await world.deliveries(witness, '?event=WEBHOOK_FAILING')).not.toEqual([])
    await world.call('DELETE', `/webhooks/${id}`)
  })
})
