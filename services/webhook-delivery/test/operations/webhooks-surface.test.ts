import { afterAll, describe, expect, it } from '@jest/globals'
import { startReceiver, startTestFleet, testAuthority } from '@wp/testkit'
import { Webhook } from 'standardwebhooks'

const fleet = await startTestFleet({
  services: ['auth', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: testAuthority().file },
})
const receiver = await startReceiver()
const token = await fleet.token(fleet.owner)

afterAll(async () => {
  await fleet.stop()
  await receiver.close()
})

const base = '/v1/webhooks'
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fleet.request(method, base + path, { as: token, headers, ...(body === undefined ? {} : { body }) })

describe('the webhooks surface, called through the gateway,', () => {
  it('serves a subscription from creation to removal', async () => {
    const secret = 'a secret of the test'
    const created = await send('POST', '/webhooks', { endpoint: receiver.url('/hook'), secret, events: ['*'] })
    expect(created.status).toBe(201)
    const { webhook_id: id } = created.body.data
    expect(created.headers.get('location')).toBe(`${fleet.baseUrl}${base}/webhooks/${id}`)
    expect((await send('GET', `/webhooks/${id}`)).body.data).toEqual(created.body.data)
    const changed = await send('PATCH', `/webhooks/${id}`, { description: 'changed' })
    expect(changed.body.data.description).toBe('changed')
    expect((await send('GET', '/webhooks?limit=1')).body).toMatchObject({
      data: [{ webhook_id: id }],
      pagination: { has_more: false, next_cursor: null },
    })

    const tested = await send('POST', `/webhooks/${id}/test`)
    expect(tested.status).toBe(202)
    expect(tested.headers.get('location')).toBe(`${fleet.baseUrl}${base}/deliveries/${tested.body.data.request_id}`)
    const request = await receiver.waitFor(({ path }) => path === '/hook')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const library = new Webhook(secret, { format: 'raw' })
    expect(library.verify(request.body.toString(), headers)).toMatchObject({ workspace_id: fleet.owner.workspaceId })
    expect((await send('GET', `/webhooks/${id}/deliveries?event=WEBHOOK_TEST`)).body.data).toHaveLength(1)
    expect((await send('GET', `/deliveries/${tested.body.data.request_id}`)).status).toBe(200)

    expect((await send('GET', `/webhooks/${id}/secret`)).body.data.secret).toBe(secret)
    expect((await send('POST', `/webhooks/${id}/rotate-secret`)).body.data.secret).toMatch(/^whsec_/)
    const removed = await send('DELETE', `/webhooks/${id}`)
    expect(removed).toMatchObject({ status: 200, body: { success: true, data: { webhook_id: id, deleted: true } } })
    expect((await send('GET', `/webhooks/${id}`)).status).toBe(404)
  })

  it('returns the error code, pointers and request id of an invalid request', async () => {
    const refused = await send('POST', '/webhooks', { endpoint: 'http://example.com', events: ['*', 'NO_SUCH'] })
    expect(refused).toMatchObject({
      status: 400,
      body: { success: false, code: 'unknown_event_kind', errors: [{ pointer: '/events/1' }] },
    })
    expect(refused.body.request_id).toBe(refused.headers.get('x-request-id'))
    expect((await send('POST', '/webhooks', { endpoint: 'http://example.com', events: ['*'] })).body).toMatchObject({
      code: 'invalid_endpoint',
      errors: [{ pointer: '/endpoint', detail: 'the URL must begin with https://' }],
    })
  })

  it('returns the secret only to bearer tokens of the workspace', async () => {
    const { body } = await send('POST', '/webhooks', { endpoint: receiver.url(), secret: 's', events: ['*'] })
    const path = `${base}/webhooks/${body.data.webhook_id}/secret`
    const refused = await fleet.request('GET', path, { as: fleet.owner.apiKey })
    expect(refused).toMatchObject({ status: 403, body: { code: 'bearer_required' } })
    const stranger = await fleet.request('GET', path, { as: await fleet.token(fleet.stranger) })
    expect(stranger.status).toBe(404)
  })
})
