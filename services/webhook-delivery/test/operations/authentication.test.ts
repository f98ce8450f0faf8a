import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { testAuthority } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const endpoint = 'https://127.0.0.1:8443/hook'
const create = (authentication: unknown, more: object = {}) =>
  harness.call('POST', '/webhooks', { endpoint, events: ['*'], authentication, ...more })
const issue = (options: { notBefore?: Date; notAfter?: Date } = {}) => {
  const { certificate, key } = testAuthority().issue({ names: ['client.example'], ...options })
  return { type: 'mtls', certificate, private_key: key }
}
const basic = { type: 'basic', username: 'ada', password: 'a very secret password' }
const oauth = {
  type: 'oauth2_client_credentials',
  token_url: 'https://127.0.0.1:8443/token',
  client_id: 'the-client',
  client_secret: 'a very secret secret',
}

describe('the authentication of a subscription', () => {
  it('is returned without its secrets', async () => {
    const certificate = issue()
    const expected = [
      { type: 'basic', username: 'ada' },
      {
        type: 'oauth2_client_credentials',
        token_url: oauth.token_url,
        client_id: 'the-client',
        scope: null,
        audience: null,
        client_authentication: 'basic',
      },
      {
        type: 'mtls',
        subject: 'CN=client.example',
        fingerprint_sha256: expect.stringMatching(/^[0-9A-F:]{95}$/),
        expires_at: expect.stringMatching(/Z$/),
      },
    ]
    for (const [index, authentication] of [basic, oauth, certificate].entries()) {
      const { status, body } = await create(authentication)
      expect([status, body.data.authentication]).toEqual([201, expected[index]])
      const id = body.data.webhook_id
      expect((await harness.call('GET', `/webhooks/${id}`)).body.data.authentication).toEqual(expected[index])
      const { rows } = await harness.sql.query('SELECT s::text AS row FROM subscriptions s WHERE webhook_id = $1', [id])
      expect(rows[0].row).not.toMatch(/a very secret|PRIVATE KEY/)
    }
  })

  const expired = issue({ notBefore: new Date(Date.now() - 7_200_000), notAfter: new Date(Date.now() - 3_600_000) })
  const encryptedKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  } as const)
  it.each([
    ['an unknown type', { type: 'digest' }, '/authentication/type', /one of basic, oauth2_client_credentials, mtls/],
    ['a colon in the username', { ...basic, username: 'a:b' }, '/authentication/username', /without a colon/],
    ['no secret', { ...oauth, client_secret: undefined }, '/authentication/client_secret', /required/],
    ['a private token URL', { ...oauth, token_url: 'https://10.0.0.1/' }, '/authentication/token_url', /not allowed/],
    ['an HTTP token URL', { ...oauth, token_url: 'http://x.test/' }, '/authentication/token_url', /https/],
    ['no certificate', { ...issue(), certificate: 'x' }, '/authentication/certificate', /not a certificate in PEM/],
    ['an expired certificate', expired, '/authentication/certificate', /has expired/],
    ['no key', { ...issue(), private_key: 'x' }, '/authentication/private_key', /not a private key in PEM/],
    ['an encrypted key', { ...issue(), private_key: encryptedKey }, '/authentication/private_key', /is encrypted/],
    ['a key of another', { ...issue(), private_key: issue().private_key }, '/authentication/private_key', /not belong/],
  ])('is rejected with a pointer: %s', async (_, authentication, pointer, detail) => {
    const { status, body } = await create(authentication)
    expect([status, body.errors]).toEqual([400, [{ pointer, detail: expect.stringMatching(detail) }]])
  })

  it('cannot be combined with a custom header that it sets', async () => {
    const conflict = {
      status: 400,
      body: { errors: [{ pointer: '/headers/Authorization', detail: expect.stringContaining('cannot be combined') }] },
    }
    const headers = { Authorization: 'Bearer of-mine' }
    expect(await create(basic, { headers })).toMatchObject(conflict)
    const { body } = await create(null, { headers })
    const path = `/webhooks/${body.data.webhook_id}`
    expect(await harness.call('PATCH', path, { authentication: oauth })).toMatchObject(conflict)
    const changed = await harness.call('PATCH', path, { authentication: oauth, headers: { Authorization: null } })
    expect(changed.status).toBe(200)
    expect(await harness.call('PATCH', path, { headers })).toMatchObject(conflict)
    expect((await harness.call('PATCH', path, { authentication: null, headers })).body.data.authentication).toBeNull()
  })

  it('gets a warning while the subscription is polled, as a rate limit does', async () => {
    const body = { delivery: 'poll', events: ['*'], authentication: basic, rate_limit: 5 }
    const { warnings } = (await harness.call('POST', '/webhooks', body)).body.data
    expect(warnings).toEqual([
      '`authentication` has no effect while the subscription is polled',
      '`rate_limit` has no effect while the subscription is polled',
    ])
  })

  it('is removed with the origin that it was for, and the response says so', async () => {
    const { body } = await create(basic, { headers: { 'X-One': '1' } })
    const path = `/webhooks/${body.data.webhook_id}`
    const moved = await harness.call('PATCH', path, { endpoint: 'https://127.0.0.1:9443/' })
    expect(moved.body.data.authentication).toBeNull()
    expect(moved.body.data.warnings[0]).toContain('the custom headers X-One and the authentication were removed')
    const kept = await harness.call('PATCH', path, { endpoint, authentication: basic })
    expect(kept.body.data.authentication).toEqual({ type: 'basic', username: 'ada' })
  })
})
