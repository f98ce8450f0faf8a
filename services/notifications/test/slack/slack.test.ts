import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually, type Receiver, respond, startReceiver } from '@wp/testkit'
import { type Harness, settings, startHarness } from '../fixture/harness.ts'

const postPath = '/api/chat.postMessage'
const posted = respond(200, { body: '{"ok":true}' })

let harness: Harness
let slack: Receiver
let integrationId: string
beforeAll(async () => {
  slack = await startReceiver({ tls: 'none' })
  const address = { SLACK_API_URL: slack.url('/api').replace(/\/$/, '') }
  harness = await startHarness({
    services: ['auth', 'integrations', 'notifications'],
    env: { integrations: address, notifications: address },
  })
  const { body } = await harness.call('POST', '/v1/integrations/integrations', {
    body: { provider: 'slack', name: 'Slack', config: {}, secrets: { bot_token: 'xoxb-1' } },
  })
  integrationId = body.data.integration_id
  await harness.addMember('viewer')
  const change = { slack: { integration_id: integrationId, channel: '#ops' } }
  const { status } = await harness.call('PATCH', settings, { as: harness.machine, body: change })
  if (status !== 200) throw new Error(`the settings were refused: ${status}`)
})
afterAll(async () => {
  await harness.stop()
  await slack.close()
})
beforeEach(() => {
  slack.setResponder(posted, postPath)
  slack.clear()
})

const messages = (keyId: string) =>
  slack.received
    .filter(({ path }) => path === postPath)
    .map(({ body }): { channel: string; text: string } => JSON.parse(body.toString()))
    .filter(({ text }) => text.includes(keyId))
const deliveryOf = async (keyId: string) => {
  const [row] = await harness.rows<{ state: string; reason: string | null }>(
    `SELECT d.state, d.reason FROM deliveries d JOIN notifications n ON n.id = d.notification_id
     WHERE d.channel = 'slack' AND n.body LIKE $1`,
    [`%${keyId}%`],
  )
  return row
}
const untilDelivered = (keyId: string, state: string) =>
  eventually(async () => (await deliveryOf(keyId))?.state === state, { description: `the delivery being ${state}` })

describe('a Slack channel', () => {
  it('gets one message of an event, whatever the number of members, in which texts of users mention no one', async () => {
    const keyId = await harness.createKey('<!channel> & co')
    await untilDelivered(keyId, 'sent')
    expect(messages(keyId)).toEqual([
      {
        channel: '#ops',
        unfurl_links: false,
        text: `*An API key was created*\nThe API key “&lt;!channel&gt; &amp; co” was created. If you do not know of it, ask an administrator to delete the key ${keyId}.`,
      },
    ])
    const request = slack.received.find(({ path }) => path === postPath)
    expect(request?.headers.authorization).toBe('Bearer xoxb-1')
  })

  it('gets the message later when Slack is unavailable', async () => {
    let tries = 0
    slack.setResponder((exchange) => {
      if (!exchange.request.body.includes('unavailable')) return posted(exchange)
      tries += 1
      return tries <= 2 ? respond(503)(exchange) : posted(exchange)
    }, postPath)
    const keyId = await harness.createKey('unavailable')
    await untilDelivered(keyId, 'sent')
    expect(messages(keyId)).toHaveLength(3)
  })

  it.each([
    ['answers 502', respond(502), 'uncertain', 'Slack answered 502'],
    [
      'names a fatal error',
      respond(200, { body: '{"ok":false,"error":"fatal_error"}' }),
      'uncertain',
      'Slack answered fatal_error',
    ],
    ['sends a page', respond(200, { body: '<html></html>' }), 'uncertain', 'unexpected response 200'],
    [
      'names an error with NUL',
      respond(200, { body: '{"ok":false,"error":"a\\u0000b\\ud800"}' }),
      'failed',
      'Slack rejected the message: a b\ufffd',
    ],
  ])('gets a message once when Slack %s', async (_, responder, state, reason) => {
    slack.setResponder(responder, postPath)
    const keyId = await harness.createKey()
    await untilDelivered(keyId, state)
    expect([await deliveryOf(keyId), messages(keyId).length]).toEqual([{ state, reason }, 1])
  })

  it('that rejects messages disables nothing else, and gets messages again once it accepts them', async () => {
    slack.setResponder(respond(200, { body: '{"ok":false,"error":"token_revoked"}' }), postPath)
    const keyId = await harness.createKey()
    await untilDelivered(keyId, 'failed')
    expect((await deliveryOf(keyId))?.reason).toBe('Slack rejected the message: token_revoked')
    const integration = await harness.call('GET', `/v1/integrations/integrations/${integrationId}`)
    expect(integration.body.data.status).toBe('error')
    const { body } = await harness.call('GET', '/v1/notifications/events')
    expect(body.data.some((one: { body: string }) => one.body.includes(keyId))).toBe(true)
    slack.setResponder(posted, postPath)
    const later = await harness.createKey()
    await untilDelivered(later, 'sent')
  })

  it('gets no message after the integration was deleted', async () => {
    await harness.call('DELETE', `/v1/integrations/integrations/${integrationId}`)
    const keyId = await harness.createKey()
    await untilDelivered(keyId, 'skipped')
    expect([(await deliveryOf(keyId))?.reason, messages(keyId)]).toEqual(['the integration cannot be used', []])
  })
})
