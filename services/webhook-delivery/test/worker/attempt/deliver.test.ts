import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, type ReceivedRequest, respond, startReceiver } from '@wp/testkit'
import { Webhook } from 'standardwebhooks'
import { startHarness } from '../../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()

beforeEach(() => receiver.clear())

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const at = (path: string) => (request: ReceivedRequest) => request.path === path
const hex = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')
const plainHeaders = ({ headers }: ReceivedRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

describe('an event', () => {
  it('is delivered to the subscriptions that name its kind, with the documented body and headers', async () => {
    const webhookId = await harness.subscribe({
      endpoint: receiver.url('/asked'),
      events: ['FORECASTING_FINISHED'],
      headers: { 'X-Tenant': 'blue' },
    })
    const other = await harness.subscribe({ endpoint: receiver.url('/other'), events: ['DATA_SYNC_FINISHED'] })
    const event = await harness.publish('FORECASTING_FINISHED')
    const request = await receiver.waitFor(at('/asked'))
    const body = JSON.parse(request.body.toString())
    expect(request.method).toBe('POST')
    expect(body).toEqual({
      event: 'FORECASTING_FINISHED',
      workspace_id: event.workspace_id,
      request_id: expect.stringMatching(/^dlv_/),
      payload: { id: event.data.id, status: 'finished', occurred_at: event.occurred_at },
    })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-tenant': 'blue',
      'x-webhook-event': 'FORECASTING_FINISHED',
      'x-webhook-request-id': body.request_id,
      'x-webhook-event-id': event.id,
      'x-webhook-attempt': '1',
    })

    const delivered = await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    expect(delivered).toMatchObject({ request_id: body.request_id, event_id: event.id, attempt_count: 1 })
    const detail = await harness.detail(delivered.request_id)
    expect(detail.body).toBe(request.body.toString())
    expect(detail.attempts).toEqual([
      expect.objectContaining({ number: 1, outcome: 'delivered', status_code: 200, address: null }),
    ])
    expect(await harness.deliveries(other)).toEqual([])
    const { body: read } = await harness.call('GET', `/webhooks/${webhookId}`)
    expect(read.data.stats).toMatchObject({ pending: 0, delivered: 1, failed: 0 })
    await harness.call('DELETE', `/webhooks/${webhookId}`)
    await harness.call('DELETE', `/webhooks/${other}`)
  })

  it('is delivered to each subscription to all kinds with its own request id and the same event id', async () => {
    const ids = [
      await harness.subscribe({ endpoint: receiver.url('/all/1') }),
      await harness.subscribe({ endpoint: receiver.url('/all/2') }),
    ]
    await harness.publish('FORECASTING_FAILED')
    const [one, two] = [await receiver.waitFor(at('/all/1')), await receiver.waitFor(at('/all/2'))]
    expect(one.headers['x-webhook-event-id']).toBe(two.headers['x-webhook-event-id'])
    expect(one.headers['x-webhook-request-id']).not.toBe(two.headers['x-webhook-request-id'])
    for (const id of ids) await harness.call('DELETE', `/webhooks/${id}`)
  })

  it('is delivered once when it is published twice', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/twice') })
    const event = await harness.publish()
    await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    // After the broker's duplicate window only the inbox recognizes the event.
    await harness.publish('FORECASTING_FINISHED', event)
    const later = await harness.publish('DATA_SYNC_FAILED')
    await harness.delivery(webhookId, ({ event_id, status }) => event_id === later.id && status === 'delivered')
    expect(receiver.received.filter(({ headers }) => headers['x-webhook-event-id'] === event.id)).toHaveLength(1)
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })

  it('is not delivered to a younger subscription or to another workspace', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/young') })
    const stranger = await harness.subscribe(
      { endpoint: receiver.url('/stranger') },
      { workspaceId: 'ws_01h455vb4pex5vsknk084sn0zz' },
    )
    await harness.publish('FORECASTING_FINISHED', { occurred_at: new Date(Date.now() - 60_000).toISOString() })
    const now = await harness.publish('DATA_SYNC_FINISHED')
    await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    expect((await harness.deliveries(webhookId)).map((delivery) => delivery.event_id)).toEqual([now.id])
    expect(receiver.received.map(({ path }) => path)).toEqual(['/young'])
    await harness.call('DELETE', `/webhooks/${webhookId}`)
    await harness.call('DELETE', `/webhooks/${stranger}`, undefined, { workspaceId: 'ws_01h455vb4pex5vsknk084sn0zz' })
  })

  it('is recorded as skipped when the subscription is disabled, and can be resent', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/resting') })
    await harness.call('PATCH', `/webhooks/${webhookId}`, { status: 'disabled' })
    const event = await harness.publish()
    const skipped = await harness.delivery(webhookId, () => true)
    expect(skipped).toMatchObject({ event_id: event.id, status: 'skipped', attempt_count: 0, next_attempt_at: null })
    await harness.call('PATCH', `/webhooks/${webhookId}`, { status: 'active' })
    expect((await harness.call('POST', `/deliveries/${skipped.request_id}/resend`)).status).toBe(202)
    await receiver.waitFor(at('/resting'))
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })
})

describe('the signature', () => {
  const encoded = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

  it.each(['a plain secret', encoded])(
    'under %j is verified by plain HMAC and by the Standard Webhooks library',
    async (secret) => {
      const webhookId = await harness.subscribe({ endpoint: receiver.url('/signed'), secret })
      await harness.publish()
      const request = await receiver.waitFor(at('/signed'))
      expect(request.headers['x-webhook-signature']).toBe(hex(secret, request.body))
      const library = new Webhook(secret, secret === encoded ? {} : { format: 'raw' })
      expect(library.verify(request.body.toString(), plainHeaders(request))).toMatchObject({
        event: 'FORECASTING_FINISHED',
      })
      await harness.call('DELETE', `/webhooks/${webhookId}`)
    },
  )

  it('is made with both secrets during a rotation, and with the new one only afterwards', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/rotated'), secret: 'the old one' })
    const rotated = await harness.call('POST', `/webhooks/${webhookId}/rotate-secret`, { overlap_seconds: 60 })
    const { secret } = rotated.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await harness.publish()
    const during = await receiver.waitFor(at('/rotated'))
    expect(during.headers['x-webhook-signature']).toBe(hex(secret, during.body))
    expect(during.headers['x-webhook-signature-previous']).toBe(hex('the old one', during.body))
    for (const library of [new Webhook(secret), new Webhook('the old one', { format: 'raw' })])
      expect(library.verify(during.body.toString(), plainHeaders(during))).toBeDefined()

    // As if the overlap had passed.
    await harness.sql.query(`UPDATE subscriptions SET previous_expires_at = now() WHERE webhook_id = $1`, [webhookId])
    receiver.clear()
    await harness.publish()
    const after = await receiver.waitFor(at('/rotated'))
    expect(after.headers['x-webhook-signature']).toBe(hex(secret, after.body))
    expect(after.headers['x-webhook-signature-previous']).toBeUndefined()
    expect(after.headers['webhook-signature']).toMatch(/^v1,\S+$/)

    await harness.call('POST', `/webhooks/${webhookId}/rotate-secret`, { overlap_seconds: 0 })
    receiver.clear()
    await harness.publish()
    const alone = await receiver.waitFor(at('/rotated'))
    expect(alone.headers['x-webhook-signature-previous']).toBeUndefined()
    expect(() => new Webhook(secret).verify(alone.body.toString(), plainHeaders(alone))).toThrow()
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })

  it('is absent with all its headers when there is no secret', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/unsigned'), secret: 'temporary' })
    await harness.call('PATCH', `/webhooks/${webhookId}`, { secret: null })
    await harness.publish()
    const { headers } = await receiver.waitFor(at('/unsigned'))
    expect(Object.keys(headers).filter((name) => /signature|^webhook-/.test(name))).toEqual([])
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })
})

describe('an update of the subscription', () => {
  it('applies to the next attempt of pending deliveries', async () => {
    receiver.setResponder(respond(500), '/wrong')
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/wrong'), secret: 'before' })
    // Until the change is made, no retry is used up.
    receiver.holdResponses()
    await harness.publish()
    const first = await receiver.waitFor(at('/wrong'))
    await harness.call('PATCH', `/webhooks/${webhookId}`, { endpoint: receiver.url('/right'), secret: 'after' })
    receiver.releaseResponses()
    const second = await receiver.waitFor(at('/right'))
    expect(second.body).toEqual(first.body)
    expect(second.headers['x-webhook-request-id']).toBe(first.headers['x-webhook-request-id'])
    expect(second.headers['x-webhook-signature']).toBe(hex('after', second.body))
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })

  it('pauses pending deliveries when it disables the subscription, and continues them when it enables it', async () => {
    receiver.setResponder(respond(500), '/paused')
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/paused') })
    receiver.holdResponses()
    await harness.publish()
    await receiver.waitFor(at('/paused'))
    await harness.call('PATCH', `/webhooks/${webhookId}`, { status: 'disabled' })
    receiver.releaseResponses()
    await harness.delivery(
      webhookId,
      ({ attempt_count, last_status_code }) => attempt_count === 1 && last_status_code === 500,
    )
    receiver.setResponder(respond(200), '/paused')
    await harness.call('PATCH', `/webhooks/${webhookId}`, { status: 'active' })
    const delivered = await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    expect(delivered.attempt_count).toBe(2)
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })
})

describe('a test', () => {
  it('is sent to that subscription only, whatever its event kinds', async () => {
    const webhookId = await harness.subscribe({
      endpoint: receiver.url('/tested'),
      events: ['RECOMMENDATION_CREATED'],
      secret: 's',
    })
    const other = await harness.subscribe({ endpoint: receiver.url('/untested') })
    const response = await harness.call('POST', `/webhooks/${webhookId}/test`)
    expect(response).toMatchObject({ status: 202, body: { data: { event: 'WEBHOOK_TEST', status: 'pending' } } })
    const request = await receiver.waitFor(at('/tested'))
    expect(JSON.parse(request.body.toString())).toMatchObject({
      event: 'WEBHOOK_TEST',
      request_id: response.body.data.request_id,
      payload: { id: webhookId, status: 'test' },
    })
    await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    expect(await harness.deliveries(other)).toEqual([])
    await harness.call('PATCH', `/webhooks/${webhookId}`, { status: 'disabled' })
    expect((await harness.call('POST', `/webhooks/${webhookId}/test`)).status).toBe(409)
    for (const id of [webhookId, other]) await harness.call('DELETE', `/webhooks/${id}`)
  })
})

describe('a resend', () => {
  it('sends the same bytes under the same request id, as a further attempt each time', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/again'), secret: 's' })
    await harness.publish()
    const { request_id: requestId } = await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    for (const attempts of [2, 3]) {
      const response = await harness.call('POST', `/deliveries/${requestId}/resend`)
      expect(response).toMatchObject({ status: 202, body: { data: { request_id: requestId, status: 'pending' } } })
      await harness.delivery(webhookId, (row) => row.status === 'delivered' && row.attempt_count === attempts)
    }
    const requests = receiver.received.filter(at('/again'))
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3'])
    const { body } = await harness.call('GET', `/webhooks/${webhookId}`)
    expect(body.data.stats).toMatchObject({ delivered: 1, pending: 0 })
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })

  it('is refused when the delivery is in flight or the subscription was removed', async () => {
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/busy') })
    receiver.holdResponses()
    await harness.publish()
    await receiver.waitFor(at('/busy'))
    const [inFlight] = await harness.deliveries(webhookId)
    expect(inFlight).toMatchObject({ status: 'pending', attempt_count: 1, next_attempt_at: null })
    const path = `/deliveries/${inFlight?.request_id}/resend`
    expect((await harness.call('POST', path)).status).toBe(409)
    receiver.releaseResponses()
    await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    await harness.call('DELETE', `/webhooks/${webhookId}`)
    expect((await harness.call('POST', path)).body).toMatchObject({
      code: 'conflict',
      detail: 'The subscription was removed',
    })
  })
})

describe('a removed subscription', () => {
  it('has its pending deliveries cancelled and gets no further attempts', async () => {
    receiver.setResponder(respond(500), '/removed')
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/removed') })
    receiver.holdResponses()
    await harness.publish()
    await receiver.waitFor(at('/removed'))
    const [pending] = await harness.deliveries(webhookId)
    expect((await harness.call('DELETE', `/webhooks/${webhookId}`)).status).toBe(200)
    receiver.releaseResponses()
    const requestId = pending?.request_id ?? ''
    const detail = await eventually(async () => {
      const found = await harness.detail(requestId)
      return found.attempts.length === 1 ? found : undefined
    })
    expect(detail).toMatchObject({ status: 'cancelled', next_attempt_at: null })
    expect(detail.attempts).toMatchObject([{ number: 1, outcome: 'failed', status_code: 500 }])
    expect((await harness.call('GET', `/webhooks/${webhookId}/deliveries`)).status).toBe(404)
    expect(receiver.received.filter(at('/removed'))).toHaveLength(1)
  })
})
