import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import {
  createAuthority,
  eventually,
  neverRespond,
  type Receiver,
  respond,
  startReceiver,
  testAuthority,
} from '@wp/testkit'
import { addBacklog } from '../../fixture/backlog.ts'
import { type Harness, startHarness } from '../../fixture/harness.ts'

let harness: Harness
let receiver: Receiver
let login: Receiver
beforeAll(async () => {
  harness = await startHarness({ RETRY_SCHEDULE_SECONDS: '0.05,600' })
  ;[receiver, login] = await Promise.all([startReceiver(), startReceiver()])
})
afterEach(() => {
  receiver.clear()
  login.clear()
})
afterAll(async () => {
  await Promise.all([receiver?.close(), login?.close()])
  await harness?.stop()
})

const oauth = (path: string) => ({
  type: 'oauth2_client_credentials',
  token_url: login.url(path),
  client_id: 'the-client',
  client_secret: 'a very secret secret',
})
const issue = (token: string) => respond(200, { body: JSON.stringify({ access_token: token, expires_in: 3_600 }) })
const events = ['RECOMMENDATION_CREATED']
const subscribe = (path: string, authentication: object, more: object = {}) =>
  harness.subscribe({ endpoint: receiver.url(path), events, authentication, ...more })
const sendTest = async (id: string): Promise<string> =>
  (await harness.call('POST', `/webhooks/${id}/test`)).body.data.request_id
const ended = (id: string, requestId: string, status: string) =>
  harness.delivery(id, (delivery) => delivery.request_id === requestId && delivery.status === status)
const authorizations = (path: string) =>
  receiver.received.filter((request) => request.path === path).map(({ headers }) => headers.authorization)

describe('basic authentication', () => {
  it('is sent, and redacted where the receiver repeats it', async () => {
    const password = 'a very secret password'
    const encoded = Buffer.from(`ada:${password}`).toString('base64')
    receiver.setResponder(
      respond(200, { headers: { 'x-got': `Basic ${encoded}` }, body: `hello ${password}, or ada:${password}` }),
      '/basic',
    )
    const id = await subscribe('/basic', { type: 'basic', username: 'ada', password })
    const requestId = await sendTest(id)
    await ended(id, requestId, 'delivered')
    expect(authorizations('/basic')).toEqual([`Basic ${encoded}`])
    const [attempt] = (await harness.detail(requestId)).attempts
    expect(attempt).toMatchObject({
      response_headers: { 'x-got': 'Basic ********' },
      response_body: 'hello ********, or ********',
    })
  })
})

describe('the values of custom headers', () => {
  it('are redacted where the receiver repeats them, whole, in part, escaped or cut off', async () => {
    const token = 'token/"of" the <first> receiver'
    const html = token.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&#62;')
    const headers = { 'X-Key': 'a very secret key', Authorization: `Bearer ${token}` }
    const filler = 'x'.repeat(8_192 - 12)
    const echo = {
      headers: { 'x-got': `Bearer ${token}` },
      body: `${JSON.stringify({ key: 'a very secret key', token })}`,
    }
    receiver.setResponder(respond(500, echo), '/echo')
    receiver.setResponder(respond(500, { body: `${filler}a very secret key` }), '/cut-off')
    const escaped = [
      JSON.stringify(token).replaceAll('/', String.raw`\/`),
      JSON.stringify(token).replaceAll('<', String.raw`\u003c`),
      html,
      JSON.stringify(token).replaceAll('"', '&quot;'),
      new URLSearchParams({ token }),
      JSON.stringify(JSON.stringify({ token })),
      token.toUpperCase(),
    ].join('\n')
    receiver.setResponder(respond(500, { body: escaped }), '/escaped')
    const bodies: unknown[] = []
    for (const path of ['/echo', '/cut-off', '/escaped']) {
      const id = await harness.subscribe({ endpoint: receiver.url(path), events, headers })
      const requestId = await sendTest(id)
      await harness.delivery(id, (each) => each.request_id === requestId && each.last_status_code === 500)
      const [attempt] = (await harness.detail(requestId)).attempts
      bodies.push(attempt?.response_body)
      if (path === '/echo') expect(attempt?.response_headers).toMatchObject({ 'x-got': '********' })
    }
    const masked = [
      '"********"',
      '"********"',
      '********',
      '&quot;********&quot;',
      'token=********',
      String.raw`"{\"token\":\"********\"}"`,
      '********',
    ]
    expect(bodies).toEqual(['{"key":"********","token":"********"}', `${filler}********`, masked.join('\n')])
  })
})

describe('OAuth 2 client credentials', () => {
  it('request one token for many deliveries', async () => {
    login.setResponder(issue('the-first-token'), '/many')
    const id = await subscribe('/many', oauth('/many'))
    await addBacklog(harness.sql, id, 20)
    harness.wakeDispatcher()
    await eventually(() => authorizations('/many').length === 20)
    expect(new Set(authorizations('/many'))).toEqual(new Set(['Bearer the-first-token']))
    expect(login.received.filter(({ path }) => path === '/many')).toHaveLength(1)
  })

  it('request another token when the endpoint rejects one, within the attempt and once', async () => {
    login.setResponder((exchange) => issue(`token-number-${login.received.length}`)(exchange), '/revoked')
    const id = await subscribe('/revoked', oauth('/revoked'))
    await ended(id, await sendTest(id), 'delivered')
    const acceptOnly = (token: string) =>
      receiver.setResponder(
        (exchange) => respond(exchange.request.headers.authorization === `Bearer ${token}` ? 200 : 401)(exchange),
        '/revoked',
      )
    acceptOnly('token-number-2')
    const renewed = await sendTest(id)
    expect((await ended(id, renewed, 'delivered')).attempt_count).toBe(1)
    receiver.clear()
    acceptOnly('none')
    const rejected = await sendTest(id)
    await harness.delivery(id, (each) => each.request_id === rejected && each.last_status_code === 401)
    await eventually(() => authorizations('/revoked').length >= 2)
    expect(authorizations('/revoked').slice(0, 2)).toEqual(['Bearer token-number-2', 'Bearer token-number-3'])
  })

  it('that fail are a failed attempt with the reason, and nothing is sent', async () => {
    login.setResponder(respond(400, { body: '{"error":"invalid_client"}' }), '/refused')
    const id = await subscribe('/refused', oauth('/refused'))
    const requestId = await sendTest(id)
    await harness.delivery(id, (delivery) => delivery.last_error_kind === 'authentication')
    const [attempt] = (await harness.detail(requestId)).attempts
    expect(attempt).toMatchObject({
      outcome: 'failed',
      status_code: null,
      error_kind: 'authentication',
      error_message: 'the token endpoint responded with 400 (invalid_client)',
    })
    expect(authorizations('/refused')).toEqual([])
  })

  it('with a token endpoint that never responds delay no other workspace', async () => {
    login.setResponder(neverRespond(), '/slow')
    const id = await subscribe('/slow', oauth('/slow'))
    await addBacklog(harness.sql, id, 1_000)
    harness.wakeDispatcher()
    await login.waitFor(({ path }) => path === '/slow')
    const workspaceId = newId('ws')
    await harness.subscribe({ endpoint: receiver.url('/quiet'), events: ['FORECASTING_FINISHED'] }, { workspaceId })
    for (let count = 1; count <= 10; count += 1) {
      await harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId })
      await eventually(() => authorizations('/quiet').length === count)
    }
    // None of the attempts that wait for the token has ended.
    const { rows } = await harness.sql.query(
      'SELECT FROM attempts JOIN deliveries USING (request_id) WHERE webhook_id = $1',
      [id],
    )
    expect(rows).toEqual([])
    expect(login.received.filter(({ path }) => path === '/slow')).toHaveLength(1)
    await harness.call('DELETE', `/webhooks/${id}`)
  })
})

describe('a client certificate', () => {
  it('authenticates the platform at an endpoint that requires one', async () => {
    const clients = createAuthority('Client authority')
    const { certificate: cert, key } = testAuthority().issue({ names: ['127.0.0.1'] })
    const names: string[] = []
    const options = { cert, key, ca: clients.certificate, requestCert: true, rejectUnauthorized: true }
    const server = createServer(options, (request, response) => {
      names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN)) // of an HTTPS server
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}/` // of a listening TCP server
    const own = clients.issue({ names: ['client.example'] })
    const authentication = { type: 'mtls', certificate: own.certificate, private_key: own.key }
    const [authenticated, anonymous] = [
      await harness.subscribe({ endpoint, events, authentication }),
      await harness.subscribe({ endpoint, events }),
    ]
    await ended(authenticated, await sendTest(authenticated), 'delivered')
    const refused = await sendTest(anonymous)
    await harness.delivery(anonymous, (each) => each.request_id === refused && each.last_error_kind !== null)
    await ended(authenticated, await sendTest(authenticated), 'delivered')
    expect(names).toEqual(['client.example', 'client.example'])
    server.closeAllConnections()
    server.close()
  })
})
