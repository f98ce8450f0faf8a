import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { respond, setTestQuota, startReceiver } from '@wp/testkit'
import { createDestination, readDestination } from '../fixture/destinations.ts'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()
afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const secret = 'a-token-of-the-collector'
const splunk = (path: string) => ({ type: 'splunk_hec', url: receiver.url(path), token: secret })
const invalid = (pointer: string) => ({
  status: 400,
  body: { errors: [{ pointer, detail: 'is the mask of a stored value: send the value' }] },
})
const patch = (id: string, config: object) => harness.call('PATCH', `/destinations/${id}`, { config })

describe('the secrets of an event destination', () => {
  it('are never shown and stored sealed only', async () => {
    const options = { workspaceId: newId('ws') }
    const id = await createDestination(harness, splunk('/a'), { options })
    expect(JSON.stringify(await readDestination(harness, id, options))).not.toContain(secret)
    const { rows } = await harness.sql.query('SELECT * FROM event_destinations WHERE destination_id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows[0]).toMatchObject({ secrets_sealed: expect.stringMatching(/^v1\./) })
  })

  it('stay when only the query changes, and are required again with a new address', async () => {
    const id = await createDestination(harness, splunk('/a'))
    const { token: _token, ...shown } = splunk('/a?b=c')
    expect((await patch(id, shown)).status).toBe(200)
    const refused = await patch(id, { ...shown, url: receiver.url('/other') })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/config/token' }] } })
    expect((await patch(id, { type: 'datadog', api_key: 'key' })).body.errors[0].pointer).toBe('/config/type')
    await harness.call('DELETE', `/destinations/${id}`)
  })

  it('of header fields stay when their masks are sent back to the same address', async () => {
    const config = { type: 'http', url: receiver.url('/masks'), headers: { 'X-Key': 'first-key', 'x-team': 'a-team' } }
    const id = await createDestination(harness, config)
    const shown = (await readDestination(harness, id)).config
    expect((await patch(id, { ...shown, headers: { 'x-key': '********', 'x-team': 'other-team' } })).status).toBe(200)
    await harness.call('POST', `/destinations/${id}/test`)
    const [request] = receiver.received.filter(({ path }) => path === '/masks')
    expect(request?.headers).toMatchObject({ 'x-key': 'first-key', 'x-team': 'other-team' })
    const unknown = invalid('/config/headers/x-new')
    expect(await patch(id, { ...shown, headers: { 'x-new': '********' } })).toMatchObject(unknown)
    expect(await patch(id, { ...shown, url: receiver.url('/new') })).toMatchObject(invalid('/config/headers/X-Key'))
    const moved = { type: 'http', url: receiver.url('/masks/../new') }
    expect(await patch(id, moved)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/config/headers', detail: expect.stringContaining(': x-key, x-team would') }] },
    })
    expect((await patch(id, { ...moved, headers: {} })).body.data.config).toMatchObject({
      url: receiver.url('/new'),
      headers: {},
    })
    const created = await harness.call('POST', '/destinations', { name: 'x', content: 'events', config: shown })
    expect(created).toMatchObject(invalid('/config/headers/X-Key'))
    expect(await patch(id, { ...shown, headers: { host: 'x' } })).toMatchObject({
      body: { errors: [{ pointer: '/config/headers/host', detail: 'cannot be overridden' }] },
    })
    await harness.call('DELETE', `/destinations/${id}`)
  })

  it('are removed from the response that a test shows', async () => {
    const id = await createDestination(harness, splunk('/repeats'))
    receiver.setResponder(
      respond(403, { body: `the token ${secret} is disabled` }),
      '/repeats/services/collector/event',
    )
    const { body } = await harness.call('POST', `/destinations/${id}/test`)
    expect(body.data).toMatchObject({ ok: false, error: { code: 'unauthorized' } })
    expect(body.data.error.message).toContain('the token ******** is disabled')
    await harness.call('DELETE', `/destinations/${id}`)
  })
})

describe('an event destination', () => {
  it.each([
    ['an address that is not public', { config: { type: 'http', url: 'https://10.0.0.1/' } }, '/config/url'],
    [
      'a broker that is not public',
      { config: { type: 'kafka', brokers: ['10.0.0.1:9092'], topic: 'a' } },
      '/config/brokers/0',
    ],
    ['a missing secret', { config: { type: 'datadog' } }, '/config/api_key'],
    ['OCSF for events', { format: 'ocsf' }, '/format'],
    ['event kinds for the audit log', { content: 'audit', events: ['INVOICE_ISSUED'] }, '/events'],
  ])('is refused with %s', async (_, given, pointer) => {
    const config = { type: 'http', url: receiver.url('/') }
    const { status, body } = await harness.call('POST', '/destinations', {
      name: 'A',
      content: 'events',
      config,
      ...given,
    })
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer })
  })

  it('is refused for the audit log without the scope to read it', async () => {
    const config = { type: 'http', url: receiver.url('/') }
    const response = await harness.service.request('POST', '/v1/webhooks/destinations', {
      signer: 'gateway',
      caller: { workspaceId: newId('ws'), scopes: ['webhooks:write'] },
      body: { name: 'A', content: 'audit', config },
    })
    expect(response).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: 'audit:read' } })
  })

  it('counts towards its quota', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'event_destinations', 1)
    await createDestination(harness, splunk('/a'), { options })
    const body = { name: 'B', content: 'events', config: splunk('/a') }
    const response = await harness.call('POST', '/destinations', body, options)
    expect(response).toMatchObject({ status: 403, body: { code: 'quota_exceeded', quota: 'event_destinations' } })
  })
})
