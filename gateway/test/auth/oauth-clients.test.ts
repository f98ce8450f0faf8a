import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import * as strict from 'oauth4webapi'
import * as openid from 'openid-client'
import { exchangeRaw } from '../raw-connection.ts'

/**
 * Two OAuth client libraries that know only the base address. They discover the server (RFC 8414) and check responses
 * against the standards.
 */

const fleet = await startTestFleet({ services: ['auth', 'system'] })
afterAll(() => fleet.stop())

const overHttp = { [strict.allowInsecureRequests]: true }
const signIn = () => fleet.signIn(fleet.owner.ownerId)
const me = (as: string) => fleet.request('GET', '/v1/auth/me', { as })
const waitForRejection = (as: string) => eventually(async () => (await me(as)).status === 401)

describe('oauth4webapi', () => {
  let server: strict.AuthorizationServer
  beforeAll(async () => {
    const issuer = new URL(fleet.baseUrl)
    const response = await strict.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp })
    server = await strict.processDiscoveryResponse(issuer, response)
  })

  const servicePrincipal = () => ({ client_id: fleet.owner.clientId })
  const secret = (how: typeof strict.ClientSecretBasic) => how(fleet.owner.clientSecret)

  it('discovers the server (RFC 8414)', () => {
    expect(server).toMatchObject({
      issuer: fleet.baseUrl,
      token_endpoint: `${fleet.baseUrl}/v1/auth/token`,
      revocation_endpoint: `${fleet.baseUrl}/v1/auth/revoke`,
      jwks_uri: `${fleet.baseUrl}/.well-known/jwks.json`,
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    })
  })

  it.each([
    ['in HTTP Basic', strict.ClientSecretBasic],
    ['in the body', strict.ClientSecretPost],
  ])('gets a token by client credentials %s, and a resource server accepts it (RFC 9068)', async (_, how) => {
    const parameters = { scope: 'data:read workspace:read' }
    const response = await strict.clientCredentialsGrantRequest(
      server,
      servicePrincipal(),
      secret(how),
      parameters,
      overHttp,
    )
    const token = await strict.processClientCredentialsResponse(server, servicePrincipal(), response)
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'workspace:read data:read' })
    const request = new Request(`${fleet.baseUrl}/v1/data/sources`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    const claims = await strict.validateJwtAccessToken(server, request, fleet.baseUrl, overHttp)
    expect(claims).toMatchObject({ sub: fleet.owner.clientId, client_id: fleet.owner.clientId })
    expect((await me(token.access_token)).status).toBe(200)
  })

  it('refreshes tokens, with and without downscoping', async () => {
    const client = { client_id: 'console' }
    const { refresh_token } = await signIn()
    const refresh = async (token: string, additionalParameters: Record<string, string> = {}) => {
      const options = { additionalParameters, ...overHttp }
      const response = await strict.refreshTokenGrantRequest(server, client, strict.None(), token, options)
      return await strict.processRefreshTokenResponse(server, client, response)
    }
    const first = await refresh(refresh_token)
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect((await me(first.access_token)).body.data.user_id).toBe(fleet.owner.ownerId)
    const scope = 'data:read'
    const second = await refresh(String(first.refresh_token), { scope, workspace_id: fleet.owner.workspaceId })
    expect(second.scope).toBe(scope)
    expect((await me(second.access_token)).body.data.credential.scopes).toEqual([scope])
  })

  it('revokes a refresh token and the token of a service principal (RFC 7009)', async () => {
    const { access_token, refresh_token } = await signIn()
    const publicClient = { client_id: 'console' }
    await strict.processRevocationResponse(
      await strict.revocationRequest(server, publicClient, strict.None(), refresh_token, overHttp),
    )
    await waitForRejection(access_token)
    const token = await fleet.token(fleet.owner)
    await strict.processRevocationResponse(
      await strict.revocationRequest(server, servicePrincipal(), secret(strict.ClientSecretBasic), token, overHttp),
    )
    await waitForRejection(token)
  })

  it('parses every error response', async () => {
    const errorOf = async (response: Promise<Response>, client: strict.Client = servicePrincipal()) => {
      const settled = await response
      return await strict.processClientCredentialsResponse(server, client, settled).then(
        () => undefined,
        (error: unknown) =>
          error instanceof strict.WWWAuthenticateChallengeError
            ? [error.status, error.cause[0]?.scheme]
            : error instanceof strict.ResponseBodyError
              ? [error.status, error.error, error.error_description?.length !== 0]
              : error,
      )
    }
    const grant = (how: strict.ClientAuth, parameters: Record<string, string> = {}) =>
      strict.clientCredentialsGrantRequest(server, servicePrincipal(), how, parameters, overHttp)
    expect(await errorOf(grant(strict.ClientSecretBasic('wrong')))).toEqual([401, 'basic'])
    const right = secret(strict.ClientSecretPost)
    expect(await errorOf(grant(right, { scope: 'no:such' }))).toEqual([400, 'invalid_scope', true])
    expect(await errorOf(grant(right, { resource: 'https://example.test' }))).toEqual([400, 'invalid_target', true])
    const generic = strict.genericTokenEndpointRequest(server, servicePrincipal(), right, 'password', {}, overHttp)
    expect(await errorOf(generic)).toEqual([400, 'unsupported_grant_type', true])
    const client = { client_id: 'console' }
    const stale = strict.refreshTokenGrantRequest(server, client, strict.None(), `wprt_${'A'.repeat(43)}`, overHttp)
    expect(await errorOf(stale, client)).toEqual([400, 'invalid_grant', true])
  })

  it.each([
    ['a method that is not allowed', 'GET', '', 405],
    ['no host', 'POST', 'content-length: 2\r\n\r\n{}', 400],
    ['two credentials', 'POST', 'host: a\r\nauthorization: Basic YQ==\r\nauthorization: Basic YQ==\r\n', 400],
    ['too many headers', 'POST', `host: a\r\n${'a: b\r\n'.repeat(120)}`, 431],
    ['an unsupported content coding', 'POST', 'host: a\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}', 415],
  ])('parses errors of requests rejected before authentication: %s', async (_, method, rest, status) => {
    for (const path of ['/v1/auth/token', '/v1/auth/revoke']) {
      const request = rest.includes('\r\n\r\n') ? rest : `${rest || 'host: a\r\n'}\r\n`
      const response = await exchangeRaw(fleet.baseUrl, `${method} ${path} HTTP/1.1\r\nconnection: close\r\n${request}`)
      expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(response).toMatch(/^content-type: application\/json/im)
      expect(response).toContain('"error":"invalid_request","error_description":"')
    }
  })
})

describe('openid-client', () => {
  const discover = (clientId: string, authentication: openid.ClientAuth) =>
    openid.discovery(new URL(fleet.baseUrl), clientId, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })

  it.each([
    ['in HTTP Basic', openid.ClientSecretBasic],
    ['in the body', openid.ClientSecretPost],
  ])('gets and revokes a token by client credentials %s', async (_, how) => {
    const config = await discover(fleet.owner.clientId, how(fleet.owner.clientSecret))
    const token = await openid.clientCredentialsGrant(config, { scope: 'data:read' })
    expect([token.scope, token.expiresIn()]).toEqual(['data:read', expect.any(Number)])
    expect((await me(token.access_token)).status).toBe(200)
    await openid.tokenRevocation(config, token.access_token)
    await waitForRejection(token.access_token)
  })

  it('refreshes and revokes as the public client', async () => {
    const config = await discover('console', openid.None())
    const { refresh_token } = await signIn()
    const token = await openid.refreshTokenGrant(config, refresh_token)
    expect((await me(token.access_token)).body.data.user_id).toBe(fleet.owner.ownerId)
    await openid.tokenRevocation(config, String(token.refresh_token))
    await expect(openid.refreshTokenGrant(config, String(token.refresh_token))).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    })
  })
})
