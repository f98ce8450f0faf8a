import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { startHarness } from '../fixture/harness.ts'

// no outside address may be called, not even on loopback
const harness = await startHarness({ OUTBOUND_ALLOW_CIDRS: '' })
afterAll(() => harness.stop())

const other = 'ws_01h455vb4pex5vsknk084sn02z'

async function createReceiver(): Promise<{ receiver_id: string; endpoint: string; expires_at: string }> {
  const response = await harness.call('POST', '/receivers', {})
  expect(response.status).toBe(201)
  return response.body.data
}

const arrivals = async (receiverId: string, query = '') =>
  (await harness.call('GET', `/receivers/${receiverId}/requests${query}`)).body

/** Sends a request from outside, as the edge forwards it. */
const send = (endpoint: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(endpoint)
  return harness.service.request('POST', pathname + search, {
    caller: { workspaceId: null, principal: { id: 'anonymous', type: 'anonymous' }, scopes: [] },
    rawBody: body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

describe('a test receiver', () => {
  it('shows a delivery with a valid signature and masked secrets, without a connection', async () => {
    const receiver = await createReceiver()
    const webhookId = await harness.subscribe({
      endpoint: receiver.endpoint,
      generate_secret: true,
      headers: { 'X-Team': 'a secret value' },
    })
    await harness.call('POST', `/webhooks/${webhookId}/test`)
    const delivery = await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    const { attempts, body } = await harness.detail(delivery.request_id)
    expect(attempts).toMatchObject([{ status_code: 200, address: null, response_body: '{"received":true}' }])
    const { data } = await arrivals(receiver.receiver_id)
    expect(data).toMatchObject([{ signature: 'valid', body, body_bytes: Buffer.byteLength(body) }])
    expect(data[0].headers).toMatchObject({
      'x-webhook-event': 'WEBHOOK_TEST',
      'x-webhook-request-id': delivery.request_id,
      'x-team': '********',
    })
    expect((await harness.call('GET', `/receivers/${receiver.receiver_id}`)).body.data).toMatchObject({ received: 1 })
  })

  it('belongs to one workspace', async () => {
    const { receiver_id: id, endpoint } = await createReceiver()
    const options = { workspaceId: other }
    for (const path of [`/receivers/${id}`, `/receivers/${id}/requests`])
      expect(await harness.call('GET', path, undefined, options)).toMatchObject(problemResponse(404, 'not_found'))
    expect((await harness.call('GET', '/receivers', undefined, options)).body.data).toEqual([])
    const subscribed = await harness.call('POST', '/webhooks', { endpoint, events: ['*'] }, options)
    expect(subscribed).toMatchObject(problemResponse(400, 'invalid_endpoint'))
  })

  it('does not open the platform to other addresses of its own', async () => {
    const { endpoint } = await createReceiver()
    for (const url of [`${endpoint}&x=1`, endpoint.replace('/receive', '/webhooks')]) {
      const response = await harness.call('POST', '/webhooks', { endpoint: url, events: ['*'] })
      expect(response).toMatchObject(problemResponse(400, 'invalid_endpoint'))
    }
  })

  it('accepts requests from outside, says that their signature is invalid, and keeps the newest 50', async () => {
    const { receiver_id: id, endpoint } = await createReceiver()
    const forged = { 'x-webhook-signature': '0'.repeat(64), 'x-unknown': 'dropped' }
    expect((await send(endpoint, 'first', forged)).body).toEqual({ received: true })
    expect((await arrivals(id)).data).toMatchObject([{ signature: 'invalid', body: 'first' }])
    expect((await arrivals(id)).data[0].headers).not.toHaveProperty('x-unknown')
    for (let n = 0; n < 50; n++) await send(endpoint, `later ${n}`)
    const { data, pagination } = await arrivals(id, '?limit=100')
    expect([data.length, data[0].body, data[0].signature, pagination.has_more]).toEqual([
      50,
      'later 49',
      'unsigned',
      false,
    ])
  })

  it('bounds the size of a request and their number a minute', async () => {
    const { receiver_id: id, endpoint } = await createReceiver()
    expect(await send(endpoint, 'x'.repeat(262_145))).toMatchObject(problemResponse(413, 'payload_too_large'))
    expect((await send(endpoint, 'é'.repeat(131_072))).status).toBe(200)
    const [kept] = (await arrivals(id)).data
    expect([kept.body_bytes, Buffer.byteLength(kept.body)]).toEqual([262_144, 65_536])
    const inMinute = 'UPDATE test_receivers SET minute_started_at = now(), minute_count = 120 WHERE receiver_id = $1'
    await harness.sql.query(inMinute, [id])
    expect(await send(endpoint, 'x')).toMatchObject(problemResponse(429, 'rate_limited'))
  })

  it('answers 410 after its end, which disables the subscription', async () => {
    const { receiver_id: id, endpoint } = await createReceiver()
    const webhookId = await harness.subscribe({ endpoint, generate_secret: true })
    expect((await harness.call('DELETE', `/receivers/${id}`)).status).toBe(200)
    await harness.publish()
    const isDisabled = async () =>
      (await harness.call('GET', `/webhooks/${webhookId}`)).body.data.disabled_reason === 'gone'
    await eventually(isDisabled)
    expect(await send(endpoint, 'x')).toMatchObject(problemResponse(404, 'not_found'))
  })

  it('is limited in number', async () => {
    const create = () => harness.call('POST', '/receivers', {}, { workspaceId: other })
    for (let n = 0; n < 10; n++) expect((await create()).status).toBe(201)
    expect(await create()).toMatchObject(problemResponse(403, 'quota_exceeded'))
  })
})
