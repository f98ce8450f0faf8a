import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  neverRespond,
  type Responder,
  redirect,
  resetConnection,
  respond,
  sendGzipBomb,
  sendLargeBody,
  sendMalformedResponse,
  sendSlowBody,
  startReceiver,
} from '@wp/testkit'
import { redirectUri, startTestAuthorization } from '../fixture/authorization.ts'

const fixture = await startTestAuthorization()
afterAll(() => fixture.stop())
/** All documents have one host, whose limit no test but one is about. */
beforeEach(() => fixture.auth.rows(`DELETE FROM counters WHERE key LIKE 'client-metadata%'`))

let serial = 0
const open = (clientId: string, from?: string) =>
  fixture.open(
    'GET',
    `/v1/auth/authorize?${fixture.request({ client_id: clientId }).query}`,
    from === undefined ? {} : { from },
  )
const rejection = (reason: string) => ({ status: 400, body: expect.stringContaining(reason) })

/** Serves a document with any responder. @returns the client id */
function serve(responder: Responder): string {
  serial += 1
  const path = `/hostile/${serial}.json`
  fixture.documents.setResponder(responder, path)
  return fixture.documents.url(path)
}

const json = { 'content-type': 'application/json' }
const ok = (body: string, headers: Record<string, string> = json) => respond(200, { body, headers })

describe('a client is rejected', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'another client_id',
      { client_id: 'https://elsewhere.example/client.json', redirect_uris: [redirectUri] },
      'names another client_id',
    ],
    ['no client_id', { client_id: undefined }, 'is not valid'],
    ['no redirect_uris', {}, 'is not valid'],
    ['empty redirect_uris', { redirect_uris: [] }, 'has no redirect_uris'],
    ['too many redirect_uris', { redirect_uris: new Array(51).fill(redirectUri) }, 'is not valid'],
    ['a redirect URI without TLS', { redirect_uris: ['http://client.example/'] }, 'is not https, http on loopback'],
    [
      'a script as redirect URI',
      { redirect_uris: [redirectUri, 'javascript:alert(1)'] },
      'is not https, http on loopback',
    ],
    [
      'a secret',
      { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
      'must be a public client',
    ],
    ['other grants', { redirect_uris: [redirectUri], grant_types: ['implicit'] }, 'grant_types'],
    ['other response types', { redirect_uris: [redirectUri], response_types: ['token'] }, 'response_types'],
    ['a name that is no text', { redirect_uris: [redirectUri], client_name: { a: 1 } }, 'is not valid'],
  ])('for a document with %s', async (_, document, reason) => {
    expect(await open(fixture.publish(document))).toMatchObject(rejection(reason))
  })

  it.each<[string, () => Responder, string]>([
    ['404', () => respond(404), 'answered 404'],
    ['500', () => respond(500), 'answered 500'],
    ['a redirect', () => redirect('https://client.example/client.json'), 'redirects to another address'],
    ['a redirect to itself', () => redirect('#', 307), 'redirects to another address'],
    ['text that is no JSON', () => ok('client'), 'is not valid'],
    ['a JSON array', () => ok('[]'), 'is not valid'],
    ['HTML', () => ok('{}', { 'content-type': 'text/html' }), 'is not application/json'],
    ['no content type', () => ok('{}', {}), 'is not application/json'],
    ['a document that is too large', () => ok(`{"a":"${'x'.repeat(20_000)}"}`), 'is larger than 16384 bytes'],
    ['an endless document', () => sendLargeBody({ megabytes: 8 }), 'is larger than 16384 bytes'],
    ['a compressed document', () => sendGzipBomb({ megabytes: 100 }), 'could not be fetched'],
    ['bytes that are not HTTP', () => sendMalformedResponse(), 'could not be fetched'],
    ['a reset connection', () => resetConnection(), 'could not be fetched'],
    ['a document that never arrives', () => neverRespond(), 'could not be fetched'],
    ['a document that arrives byte by byte', () => sendSlowBody(), 'could not be fetched'],
  ])('when its server sends %s', async (_, responder, reason) => {
    expect(await open(serve(responder()))).toMatchObject(rejection(reason))
  })

  it('when its host is not public', async () => {
    for (const host of ['169.254.169.254', '10.0.0.1', 'localhost.localdomain.invalid'])
      expect(await open(`https://${host}/client.json`)).toMatchObject(rejection('could not be fetched'))
  })

  it('when its certificate is not trusted', async () => {
    const other = await startReceiver({ tls: 'self-signed' })
    try {
      expect(await open(other.url('/client.json'))).toMatchObject(rejection('could not be fetched'))
    } finally {
      await other.close()
    }
  })

  it.each(['console', 'sp_01h455vb4pex5vsknk084sn02q', 'https://127.0.0.1/', 'http://client.example/client.json', ''])(
    'for the id %j',
    async (id) => expect(await open(id)).toMatchObject(rejection('is not the https address')),
  )

  it('without an id', async () => {
    const { query } = fixture.request({ client_id: undefined })
    expect(await fixture.open('GET', `/v1/auth/authorize?${query}`)).toMatchObject(rejection('has no client_id'))
  })
})

describe('a metadata document', () => {
  const requestsFor = (clientId: string) =>
    fixture.documents.received.filter(({ path }) => clientId.endsWith(path)).length

  it('is cached as its server allows, and never when it is invalid', async () => {
    const document = { redirect_uris: [redirectUri] }
    const [cached, uncached] = [fixture.publish(document), fixture.publish(document, { 'cache-control': 'no-store' })]
    const invalid = fixture.publish({})
    for (const id of [cached, cached, uncached, uncached, invalid, invalid]) await open(id)
    expect([cached, uncached, invalid].map(requestsFor)).toEqual([1, 2, 2])
  })

  it('is fetched without credentials and cookies', async () => {
    const id = fixture.publish({ redirect_uris: [redirectUri] })
    await open(id)
    const request = fixture.documents.received.find(({ path }) => id.endsWith(path))
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  it('is fetched at most 30 times a minute for one network', async () => {
    const from = '203.0.113.77'
    const ids = Array.from({ length: 31 }, () => fixture.publish({ redirect_uris: [redirectUri] }))
    const answers = []
    for (const id of ids) answers.push((await open(id, from)).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(30)
    expect(answers.at(-1)).toBe(429)
  })

  it('may be served over http on loopback in development', async () => {
    const plain = await startReceiver({ tls: 'none' })
    try {
      const id = plain.url('/client.json')
      const body = JSON.stringify({ client_id: id, redirect_uris: [redirectUri] })
      plain.setResponder(ok(body))
      expect((await open(id)).status).toBe(200)
    } finally {
      await plain.close()
    }
  })
})

it('no client may be on a network that the operator denies', async () => {
  const strict = await startTestAuthorization({ OUTBOUND_DENY_CIDRS: '127.0.0.1/32' })
  try {
    const { query } = strict.request()
    expect(await strict.open('GET', `/v1/auth/authorize?${query}`)).toMatchObject(rejection('could not be fetched'))
    expect(strict.documents.connections).toBe(0)
  } finally {
    await strict.stop()
  }
})

it('outside development no client may be on a private network, although a provider may', async () => {
  const sandbox = await startTestAuthorization({ ENVIRONMENT: 'sandbox' })
  try {
    const { query } = sandbox.request()
    expect(await sandbox.open('GET', `/v1/auth/authorize?${query}`)).toMatchObject(rejection('could not be fetched'))
    expect(sandbox.documents.connections).toBe(0)
  } finally {
    await sandbox.stop()
  }
})
