import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  failFirst,
  neverRespond,
  type Responder,
  redirect,
  resetConnection,
  respond,
  respondRetryAfter,
  sendGzipBomb,
  sendLargeBody,
  sendMalformedResponse,
  sendSlowBody,
  startReceiver,
} from '@wp/testkit'
import { type Attempt, type Delivery, type Harness, startHarness } from '../../fixture/harness.ts'

const harness = await startHarness({ OUTBOUND_DENY_CIDRS: '127.9.9.9/32' })
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

/** Delivers an event to an endpoint until the delivery is as expected, then removes the subscription. */
async function deliverTo(
  path: string,
  responder: Responder,
  isExpected: (delivery: Delivery) => boolean,
  service = harness,
): Promise<Delivery & { attempts: Attempt[] }> {
  receiver.setResponder(responder, path)
  const webhookId = await service.subscribe({ endpoint: receiver.url(path) })
  await service.publish()
  const { request_id } = await service.delivery(webhookId, isExpected)
  const detail = await service.detail(request_id)
  await service.call('DELETE', `/webhooks/${webhookId}`)
  return detail
}

const isDelivered = ({ status }: Delivery) => status === 'delivered'
const hasFailed = ({ status }: Delivery) => status === 'failed'

describe('a failed attempt', () => {
  it.each<[string, Responder, Partial<Attempt>]>([
    ['the response is 500', respond(500, { body: 'no\0good' }), { status_code: 500, response_body: 'no\ufffdgood' }],
    ['the response is 400', respond(400), { status_code: 400 }],
    ['the response is a redirect, which is not followed', redirect(), { status_code: 302 }],
    ['the response is 429', respond(429), { status_code: 429 }],
    ['the connection is reset', resetConnection(), { error_kind: 'reset' }],
    [
      'the connection is reset during the response',
      resetConnection({ midway: true }),
      { error_kind: 'reset', status_code: 200 },
    ],
    ['the response is not HTTP', sendMalformedResponse(), { error_kind: 'protocol' }],
  ])('is recorded and retried when %s', async (name, responder, expected) => {
    const delivery = await deliverTo(`/${encodeURIComponent(name)}`, failFirst(1, responder), isDelivered)
    expect(delivery.attempt_count).toBe(2)
    expect(delivery.attempts).toMatchObject([
      { number: 1, outcome: 'failed', ...expected },
      { number: 2, outcome: 'delivered', status_code: 200 },
    ])
  })
})

describe('an attempt that exceeds its time limit', () => {
  let limited: Harness
  beforeAll(async () => {
    limited = await startHarness({ ATTEMPT_TIMEOUT_SECONDS: '4', LEASE_SECONDS: '6' })
  })
  afterAll(() => limited?.stop())

  // On a busy machine an attempt may reach its limit before the receiver has got it; a further one then matches.
  it.each<[string, Responder, Partial<Attempt>]>([
    ['there is no response', neverRespond(), { error_kind: 'timeout', status_code: null }],
    ['the body of the response is slow', sendSlowBody(), { error_kind: 'timeout', status_code: 200 }],
  ])('is recorded and retried when %s', async (name, responder, expected) => {
    const delivery = await deliverTo(`/${encodeURIComponent(name)}`, failFirst(1, responder), isDelivered, limited)
    expect(delivery.attempts).toContainEqual(expect.objectContaining({ outcome: 'failed', ...expected }))
    expect(delivery.attempts.at(-1)).toMatchObject({ outcome: 'delivered', status_code: 200 })
  })
})

describe('an attempt', () => {
  it('records headers, the first 8 KiB of the body, and the duration of each phase', async () => {
    const responder = respond(201, { headers: { 'x-custom': 'yes' }, body: 'é'.repeat(5_000) })
    const { attempts } = await deliverTo('/recorded', responder, isDelivered)
    const [attempt] = attempts
    expect(attempt).toMatchObject({ status_code: 201, response_truncated: true, address: null })
    expect(attempt?.response_headers).toMatchObject({ 'x-custom': 'yes' })
    expect(Buffer.byteLength(attempt?.response_body ?? '')).toBe(8_192)
    expect(attempt?.timings.total_ms).toBeGreaterThan(0)
    expect(Date.parse(attempt?.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(attempt?.started_at ?? ''))
  })

  it('is successful when the response is 200 with a body that is too long or compressed', async () => {
    const long = await deliverTo('/endless', sendLargeBody(), isDelivered)
    expect(long.attempts).toMatchObject([{ outcome: 'delivered', response_truncated: true }])
    const bomb = await deliverTo('/bomb', sendGzipBomb(), isDelivered)
    expect(bomb.attempts).toMatchObject([{ outcome: 'delivered', error_kind: 'encoding', response_body: null }])
  })

  it('records the error kind when a name does not resolve or a port is closed', async () => {
    const webhookId = await harness.subscribe({ endpoint: 'https://receiver.invalid/' })
    const closed = await harness.subscribe({ endpoint: 'https://127.0.0.1:1024/' })
    await harness.publish()
    const unresolved = await harness.delivery(webhookId, hasFailed)
    expect(unresolved).toMatchObject({ attempt_count: 4, last_error_kind: 'blocked_address', last_status_code: null })
    expect(await harness.delivery(closed, hasFailed)).toMatchObject({ last_error_kind: 'connect' })
    for (const id of [webhookId, closed]) await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is recorded without a connection when the address has become forbidden', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/forbidden') })
    await harness.sql.query('UPDATE subscriptions SET endpoint = $1 WHERE webhook_id = $2', [
      `https://127.9.9.9:${receiver.port}/`,
      webhookId,
    ])
    const { connections } = receiver
    await harness.publish()
    const { request_id } = await harness.delivery(webhookId, hasFailed)
    const { attempts } = await harness.detail(request_id)
    expect(attempts).toHaveLength(4)
    for (const attempt of attempts)
      expect(attempt).toMatchObject({ outcome: 'failed', error_kind: 'blocked_address', status_code: null })
    expect(receiver.connections).toBe(connections)
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })
})

describe('a delivery', () => {
  it('fails when the schedule is used up; every attempt has the same bytes and its own number', async () => {
    const delivery = await deliverTo('/hopeless', respond(500), hasFailed)
    expect(delivery).toMatchObject({ attempt_count: 4, last_status_code: 500, next_attempt_at: null })
    const requests = receiver.received.filter(({ path }) => path === '/hopeless')
    expect(requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  it('is retried no earlier than Retry-After says', async () => {
    const delivery = await deliverTo('/later', failFirst(1, respondRetryAfter(429, 1)), isDelivered)
    const [first, second] = delivery.attempts
    const pauseMs = Date.parse(second?.started_at ?? '') - Date.parse(first?.finished_at ?? '')
    expect(pauseMs).toBeGreaterThanOrEqual(1_000)
    expect(first).toMatchObject({ status_code: 429, response_headers: { 'retry-after': '1' } })
  })

  it('fails on 410, which disables its subscription and notifies the others', async () => {
    receiver.setResponder(respond(410), '/gone')
    const gone = await harness.subscribe({ endpoint: receiver.url('/gone') })
    const other = await harness.subscribe({ endpoint: receiver.url('/observer'), events: ['WEBHOOK_DISABLED'] })
    await harness.publish()
    expect(await harness.delivery(gone, hasFailed)).toMatchObject({ attempt_count: 1, last_status_code: 410 })
    const { body } = await harness.call('GET', `/webhooks/${gone}`)
    expect(body.data).toMatchObject({ status: 'disabled', disabled_reason: 'gone', disabled_at: expect.any(String) })
    const notification = await receiver.waitFor(({ path }) => path === '/observer')
    expect(JSON.parse(notification.body.toString()).payload).toMatchObject({
      id: gone,
      status: 'disabled',
      reason: 'gone',
    })
    expect((await harness.deliveries(gone)).map(({ event }) => event)).not.toContain('WEBHOOK_DISABLED')
    const { rows } = await harness.sql.query(
      `SELECT data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'webhook.disabled'`,
    )
    expect(rows).toHaveLength(1)
    for (const id of [gone, other]) await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('fails on 410 without disabling its subscription when it is a test or was sent again on request', async () => {
    receiver.setResponder(respond(410), '/tested')
    const tested = await harness.subscribe({ endpoint: receiver.url('/tested') })
    const sent = await harness.call('POST', `/webhooks/${tested}/test`)
    const test = await harness.delivery(tested, hasFailed)
    expect(test).toMatchObject({ request_id: sent.body.data.request_id, attempt_count: 1, last_status_code: 410 })
    await harness.call('POST', `/deliveries/${test.request_id}/resend`)
    await harness.delivery(tested, (delivery) => hasFailed(delivery) && delivery.attempt_count === 2)
    const { body } = await harness.call('GET', `/webhooks/${tested}`)
    expect(body.data).toMatchObject({ status: 'active', disabled_reason: null })
    await harness.call('DELETE', `/webhooks/${tested}`)
  })
})
