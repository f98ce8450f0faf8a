import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Receiver, startReceiver } from '@wp/testkit'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let first: Receiver
let second: Receiver

beforeAll(async () => {
  harness = await startHarness()
  ;[first, second] = await Promise.all([startReceiver(), startReceiver()])
})

afterAll(async () => {
  await harness?.stop()
  await Promise.all([first?.close(), second?.close()])
})

const subscribe = (overrides: object = {}) =>
  harness.subscribe({
    endpoint: first.url('/old'),
    secret: 'the first secret',
    headers: { Authorization: 'Bearer of-the-first', 'X-Tenant': 'blue' },
    ...overrides,
  })

const patch = async (id: string, body: object) => {
  const response = await harness.call('PATCH', `/webhooks/${id}`, body)
  expect(response.status).toBe(200)
  return response.body.data
}

/** Sends a test event and returns the headers that the receiver gets. */
async function deliverTest(id: string, receiver: Receiver) {
  receiver.clear()
  await harness.call('POST', `/webhooks/${id}/test`)
  const [request] = await receiver.waitFor(1)
  return request?.headers ?? {}
}

describe('changing the endpoint of a subscription', () => {
  it('removes the custom headers and both secrets when the origin is new, and says so', async () => {
    const id = await subscribe()
    await harness.call('POST', `/webhooks/${id}/rotate-secret`, {})
    const changed = await patch(id, { endpoint: second.url('/new') })
    expect([changed.headers, changed.has_secret]).toEqual([{}, false])
    expect(changed.warnings).toEqual([
      expect.stringMatching(
        /^`endpoint` has a new origin.* the custom headers Authorization, X-Tenant and the secret /,
      ),
      expect.stringContaining('not signed'),
    ])
    const received = await deliverTest(id, second)
    for (const name of ['authorization', 'x-tenant', 'x-webhook-signature', 'x-webhook-signature-previous'])
      expect(received).not.toHaveProperty(name)
    expect((await harness.call('GET', `/webhooks/${id}/secret`)).body.data.secret).toBeNull()
  })

  it('keeps the headers and the secret that come with the new origin, and no others', async () => {
    const id = await subscribe()
    const changed = await patch(id, {
      endpoint: second.url('/new'),
      secret: 'the second secret',
      headers: { 'X-Tenant': 'green' },
    })
    expect([changed.headers, changed.has_secret]).toEqual([{ 'X-Tenant': '********' }, true])
    expect(changed.warnings).toEqual([expect.stringContaining('the custom headers Authorization were removed')])
    const received = await deliverTest(id, second)
    expect(received).toMatchObject({ 'x-tenant': 'green', 'x-webhook-signature': expect.any(String) })
    expect(received).not.toHaveProperty('authorization')
  })

  it('removes the custom headers and keeps the secret when only the path changes', async () => {
    const id = await subscribe()
    const changed = await patch(id, { endpoint: first.url('/elsewhere') })
    expect(changed).toMatchObject({ has_secret: true, headers: {} })
    expect(changed.warnings).toEqual([
      expect.stringMatching(/^`endpoint` has a new path, so the custom headers Authorization, X-Tenant were removed/),
    ])
    const received = await deliverTest(id, first)
    expect(received).toMatchObject({ 'x-webhook-signature': expect.any(String) })
    for (const name of ['authorization', 'x-tenant']) expect(received).not.toHaveProperty(name)
  })

  it('keeps everything when only the query changes', async () => {
    const id = await subscribe()
    const changed = await patch(id, { endpoint: `${first.url('/old')}?source=new` })
    expect(changed).toMatchObject({ has_secret: true, warnings: [] })
    expect(await deliverTest(id, first)).toMatchObject({
      authorization: 'Bearer of-the-first',
      'x-tenant': 'blue',
      'x-webhook-signature': expect.any(String),
    })
  })

  it('removes what was set while the subscription was polled and had no endpoint', async () => {
    const id = await subscribe({ delivery: 'poll', endpoint: undefined })
    const changed = await patch(id, { delivery: 'push', endpoint: second.url('/new') })
    expect([changed.headers, changed.has_secret]).toEqual([{}, false])
  })
})

describe('warnings of a subscription', () => {
  it('name a missing secret in every response', async () => {
    const created = await harness.call('POST', '/webhooks', { endpoint: first.url(), events: ['*'] })
    const warnings = [expect.stringContaining('not signed')]
    expect(created.body.data.warnings).toEqual(warnings)
    const path = `/webhooks/${created.body.data.webhook_id}`
    expect((await harness.call('GET', path)).body.data.warnings).toEqual(warnings)
  })

  it('name a short secret in the response to the request that sets it', async () => {
    const body = { endpoint: first.url(), events: ['*'], secret: 'fifteen chars..' }
    const created = await harness.call('POST', '/webhooks', body)
    expect(created.body.data.warnings).toEqual([expect.stringContaining('fewer than 16 characters')])
    const changed = await patch(created.body.data.webhook_id, { secret: 'sixteen chars...' })
    expect(changed.warnings).toEqual([])
  })

  it('do not change the entity tag', async () => {
    const id = await subscribe()
    const changed = await harness.call('PATCH', `/webhooks/${id}`, { secret: 'short' })
    const match = { headers: { 'if-match': changed.headers.get('etag') ?? '' } }
    expect((await harness.call('PATCH', `/webhooks/${id}`, { description: 'a' }, match)).status).toBe(200)
  })
})
