import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  failFirst,
  neverRespond,
  type Receiver,
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
import { type Attempt, type Delivery, type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver

beforeAll(async () => {
  // A name that resolves on every machine, to an address that is denied here.
  harness = await startHarness({
    OUTBOUND_DENY_CIDRS: '127.9.9.9/32',
    ATTEMPT_TIMEOUT_SECONDS: '4',
    LEASE_SECONDS: '6',
  })
  receiver = await startReceiver()
})

afterAll(async () => {
  await harness?.stop()
  await receiver?.close()
})

/** Delivers one event to an endpoint that behaves so until the delivery is as awaited; then removes it. */
async function deliverTo(
  path: string,
  behaviour: Responder,
  isExpected: (delivery: Delivery) => boolean,
): Promise<Delivery & { attempts: Attempt[] }> {
  receiver.setResponder(behaviour, path)
  const webhookId = await harness.subscribe({ endpoint: receiver.url(path) })
  await harness.publish()
  const { request_id } = await harness.delivery(webhookId, isExpected)
  const detail = await harness.detail(request_id)
  await harness.call('DELETE', `/webhooks/${webhookId}`)
  return detail
}

const isDelivered = ({ status }: Delivery) => status === 'delivered'
const hasFailed = ({ status }: Delivery) => status === 'failed'

describe('an attempt that fails is kept and tried again, when', () => {
  it.each<[string, Responder, Partial<Attempt>]>([
    ['the answer is 500', respond(500, { body: 'no\0good' }), { status_code: 500, response_body: 'no\ufffdgood' }],
    ['the answer is 400', respond(400), { status_code: 400 }],
    ['the answer is a redirect, which is not followed', redirect(), { status_code: 302 }],
    ['the answer is 429', respond(429), { status_code: 429 }],
    ['nothing is answered', neverRespond(), { error_kind: 'timeout', status_code: null }],
    ['the body of the answer drips', sendSlowBody(), { error_kind: 'timeout', status_code: 200 }],
    ['the connection is reset', resetConnection(), { error_kind: 'reset' }],
    ['the connection is reset midway', resetConnection({ midway: true }), { error_kind: 'reset', status_code: 200 }],
    ['the answer is not HTTP', sendMalformedResponse(), { error_kind: 'protocol' }],
  ])('%s', async (name, behaviour, expected) => {
    const delivery = await deliverTo(`/${encodeURIComponent(name)}`, failFirst(1, behaviour), isDelivered)
    expect(delivery.attempt_count).toBe(2)
    expect(delivery.attempts).toMatchObject([
      { number: 1, outcome: 'failed', ...expected },
      { number: 2, outcome: 'delivered', status_code: 200 },
    ])
  })
})

describe('an attempt', () => {
  it('keeps what was answered: headers, the first 8 KiB, and how long each part took', async () => {
    const behaviour = respond(201, { headers: { 'x-answer': 'yes' }, body: 'é'.repeat(5_000) })
    const { attempts } = await deliverTo('/kept', behaviour, isDelivered)
    const [attempt] = attempts
    expect(attempt).toMatchObject({ status_code: 201, response_truncated: true, address: '127.0.0.1' })
    expect(attempt?.response_headers).toMatchObject({ 'x-answer': 'yes' })
    expect(Buffer.byteLength(attempt?.response_body ?? '')).toBe(8_192)
    expect(attempt?.timings.total_ms).toBeGreaterThan(0)
    expect(Date.parse(attempt?.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(attempt?.started_at ?? ''))
  })

  it('takes a 200 for delivered although the body that follows is too long, or compressed', async () => {
    const long = await deliverTo('/endless', sendLargeBody(), isDelivered)
    expect(long.attempts).toMatchObject([{ outcome: 'delivered', response_truncated: true }])
    const bomb = await deliverTo('/bomb', sendGzipBomb(), isDelivered)
    expect(bomb.attempts).toMatchObject([{ outcome: 'delivered', error_kind: 'encoding', response_body: null }])
  })

  it('to a name that does not resolve, or a closed port, says so', async () => {
    const webhookId = await harness.subscribe({ endpoint: 'https://receiver.invalid/' })
    const closed = await harness.subscribe({ endpoint: 'https://127.0.0.1:1024/' })
    await harness.publish()
    const unresolved = await harness.delivery(webhookId, hasFailed)
    expect(unresolved).toMatchObject({ attempt_count: 4, last_error_kind: 'dns', last_status_code: null })
    expect(await harness.delivery(closed, hasFailed)).toMatchObject({ last_error_kind: 'connect' })
    for (const id of [webhookId, closed]) await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('to an address that has become forbidden is kept, and never connected', async () => {
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
  it('has failed when the schedule is used up; every attempt carries the same bytes and its number', async () => {
    const delivery = await deliverTo('/hopeless', respond(500), hasFailed)
    expect(delivery).toMatchObject({ attempt_count: 4, last_status_code: 500, next_attempt_at: null })
    const requests = receiver.received.filter(({ path }) => path === '/hopeless')
    expect(requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  it('waits as long as Retry-After says', async () => {
    const delivery = await deliverTo('/later', failFirst(1, respondRetryAfter(429, 1)), isDelivered)
    const [first, second] = delivery.attempts
    const pauseMs = Date.parse(second?.started_at ?? '') - Date.parse(first?.finished_at ?? '')
    expect(pauseMs).toBeGreaterThanOrEqual(1_000)
    expect(first).toMatchObject({ status_code: 429, response_headers: { 'retry-after': '1' } })
  })

  it('answered 410 has failed, and its subscription is disabled, which the others hear of', async () => {
    receiver.setResponder(respond(410), '/gone')
    const gone = await harness.subscribe({ endpoint: receiver.url('/gone') })
    const other = await harness.subscribe({ endpoint: receiver.url('/witness'), events: ['WEBHOOK_DISABLED'] })
    await harness.publish()
    expect(await harness.delivery(gone, hasFailed)).toMatchObject({ attempt_count: 1, last_status_code: 410 })
    const { body } = await harness.call('GET', `/webhooks/${gone}`)
    expect(body.data).toMatchObject({ status: 'disabled', disabled_reason: 'gone', disabled_at: expect.any(String) })
    const heard = await receiver.waitFor(({ path }) => path === '/witness')
    expect(JSON.parse(heard.body.toString()).payload).toMatchObject({ id: gone, status: 'disabled', reason: 'gone' })
    expect((await harness.deliveries(gone)).map(({ event }) => event)).not.toContain('WEBHOOK_DISABLED')
    const { rows } = await harness.sql.query(
      `SELECT data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'webhook.disabled'`,
    )
    expect(rows).toHaveLength(1)
    for (const id of [gone, other]) await harness.call('DELETE', `/webhooks/${id}`)
  })
})
