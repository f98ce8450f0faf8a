import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createRegisteredClient, openRegisteredClient } from '../../src/clients/registered-client.ts'
import { createDerivedKeys } from '../../src/secrets/derived-keys.ts'
import { redirectUri, startTestAuthorization } from '../fixture/authorization.ts'

const fixture = await startTestAuthorization()
afterAll(() => fixture.stop())

const register = (body: Record<string, unknown>) => fixture.open('POST', '/v1/auth/register', { body })
const open = (clientId: string, uri = redirectUri) =>
  fixture.open('GET', `/v1/auth/authorize?${fixture.request({ client_id: clientId, redirect_uri: uri }).query}`)

describe('a registered client', () => {
  it('is a public client of the authorization code grant, whatever it asked for', async () => {
    const { status, headers, body } = await register({
      client_name: 'Editor',
      redirect_uris: [redirectUri],
      grant_types: ['implicit'],
      token_endpoint_auth_method: 'client_secret_post',
      software_id: 'ignored',
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^dcr\.[\w-]+\.[\w-]{43}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Editor',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  it('gets tokens by a code, which are bound to its id', async () => {
    const { body } = await register({ client_name: 'Editor', redirect_uris: ['http://localhost/callback'] })
    const changes = { client_id: body.client_id, redirect_uri: 'http://localhost:5123/callback' }
    const { tokenRequest } = await fixture.authorize('editor@example.test', changes)
    const tokens = (await fixture.redeem(tokenRequest)).body
    const refresh = (client_id: string) =>
      fixture.redeem({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id })
    const other = (await register({ redirect_uris: [redirectUri] })).body.client_id
    expect(await refresh(other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await refresh(body.client_id)).status).toBe(200)
  })

  it('is shown as not verified, and its name as text', async () => {
    const { body } = await register({ client_name: '<b>Bank</b>', redirect_uris: [redirectUri] })
    const page = await open(body.client_id)
    expect(page.body).toContain('&lt;b&gt;Bank&lt;/b&gt; (host not verified)')
  })

  it('is bound to its redirect URIs', async () => {
    const { body } = await register({ redirect_uris: [redirectUri] })
    expect((await open(body.client_id)).status).toBe(200)
    expect((await open(body.client_id, 'https://evil.example/')).status).toBe(400)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no redirect_uris', {}, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['http', { redirect_uris: ['http://client.example/'] }, 'invalid_redirect_uri'],
    ['too much', { redirect_uris: [`https://client.example/${'x'.repeat(900)}`] }, 'invalid_redirect_uri'],
    ['a text as redirect_uris', { redirect_uris: redirectUri }, 'invalid_request'],
    ['too many redirect_uris', { redirect_uris: new Array(51).fill(redirectUri) }, 'invalid_request'],
  ])('is refused with %s', async (_, body, error) => {
    expect(await register(body)).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } })
  })

  it('is unknown with a changed or foreign id', async () => {
    const { client_id: id } = (await register({ redirect_uris: [redirectUri] })).body
    const content = Buffer.from(JSON.stringify(['x', 'https://evil.example/'])).toString('base64url')
    const foreign = createRegisteredClient(createDerivedKeys(randomBytes(32).toString('base64')), {
      redirect_uris: [redirectUri],
    }).id
    for (const changed of [`dcr.${content}.${id.split('.')[2]}`, `${id}.x`, id.slice(0, -2), 'dcr.', 'dcr..', foreign])
      expect(await open(changed)).toMatchObject({
        status: 400,
        body: expect.stringContaining('is not registered here'),
      })
  })
})

it('a registration stays valid while the key-encryption key is rotated', () => {
  const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const client = createRegisteredClient(createDerivedKeys(old), { client_name: 'x', redirect_uris: [redirectUri] })
  expect(openRegisteredClient(createDerivedKeys(next, old), client.id)).toEqual(client)
  expect(openRegisteredClient(createDerivedKeys(next), client.id)).toBeUndefined()
})
