import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mcpScopes } from '@wp/contracts'
import {
  allowClient,
  eventually,
  type Mailbox,
  type Receiver,
  respond,
  startMailbox,
  startReceiver,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import * as strict from 'oauth4webapi'

/** A strict OAuth client that knows only the address of the MCP endpoint, and a browser in which a user allows it. */

const redirectUri = 'http://127.0.0.1:3917/callback'

let fleet: TestFleet
let mailbox: Mailbox
let documents: Receiver
let client: strict.Client
beforeAll(async () => {
  ;[mailbox, documents] = await Promise.all([startMailbox(), startReceiver()])
  client = { client_id: documents.url('/client.json') }
  const document = { ...client, client_name: 'Strict client', redirect_uris: ['http://127.0.0.1/callback'] }
  const headers = { 'content-type': 'application/json' }
  documents.setResponder(respond(200, { body: JSON.stringify(document), headers }))
  const env = { auth: { SMTP_URL: mailbox.url, OUTBOUND_CA_FILE: documents.caFile } }
  fleet = await startTestFleet({ services: ['auth', 'system', 'mcp'], env })
})
afterAll(async () => {
  await fleet?.stop()
  await Promise.all([mailbox?.close(), documents?.close()])
})

const overHttp = { [strict.allowInsecureRequests]: true }
const mcpUrl = () => `${fleet.baseUrl}/api/v1/mcp/mcp`
const callMcp = (token?: string, headers: Record<string, string> = {}) =>
  fetch(mcpUrl(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
const metadataUrl = () => `${fleet.baseUrl}/.well-known/oauth-protected-resource/api/v1/mcp/mcp`

/** Finds the authorization server as RFC 9728 and RFC 8414 describe it. */
async function discover() {
  const resource = new URL(mcpUrl())
  const metadata = await strict.processResourceDiscoveryResponse(
    resource,
    await strict.resourceDiscoveryRequest(resource, overHttp),
  )
  const issuer = new URL(metadata.authorization_servers?.[0] ?? 'http://none')
  const response = await strict.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp })
  return { resource: metadata, server: await strict.processDiscoveryResponse(issuer, response) }
}

interface Authorization {
  server: strict.AuthorizationServer
  callback: URLSearchParams
  verifier: string
}

/** Sends the user to the authorization endpoint and validates the response. */
async function authorize(scope = 'data:read mcp:use'): Promise<Authorization> {
  const { server } = await discover()
  const [verifier, state] = [strict.generateRandomCodeVerifier(), strict.generateRandomState()]
  const url = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    ...client,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await strict.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: mcpUrl(),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  const location = await allowClient(url, { mailbox, email: 'owner@example.com' })
  return { server, callback: strict.validateAuthResponse(server, client, new URL(location), state), verifier }
}

async function redeem({ server, callback, verifier }: Authorization): Promise<strict.TokenEndpointResponse> {
  const options = { additionalParameters: { resource: mcpUrl() }, ...overHttp }
  const response = await strict.authorizationCodeGrantRequest(
    server,
    client,
    strict.None(),
    callback,
    redirectUri,
    verifier,
    options,
  )
  return await strict.processAuthorizationCodeResponse(server, client, response)
}

describe('the MCP endpoint', () => {
  it('names its metadata to a client without a token', async () => {
    const { status, headers } = await callMcp()
    expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${metadataUrl()}"`])
  })

  it('names its metadata and the reason to a client with an invalid token', async () => {
    for (const token of ['invalid', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA']) {
      const { status, headers } = await callMcp(token)
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+"$/),
      ])
    }
  })

  it('rejects a token for the API and names its metadata', async () => {
    const { clientId: client_id, clientSecret: client_secret } = fleet.owner
    const body = { client_id, client_secret, resource: fleet.baseUrl }
    const token = (await fleet.request('POST', '/v1/auth/token', { body })).body.access_token
    const { status, headers } = await callMcp(token)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${metadataUrl()}"`)
  })

  it('names the missing scope with 403', async () => {
    const { status, headers } = await callMcp(await fleet.token(fleet.owner, 'data:read'))
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", error_description="[^"]+", scope="mcp:use", resource_metadata="[^"]+"$/,
    )
  })

  it('leaves the challenges of the API as they were', async () => {
    const { headers } = await fleet.request('GET', '/v1/auth/me')
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('the metadata of the protected resources', () => {
  it('name the resource, the authorization server and the scopes', async () => {
    const { resource } = await discover()
    expect(resource).toMatchObject({
      resource: mcpUrl(),
      authorization_servers: [fleet.baseUrl],
      scopes_supported: mcpScopes,
      bearer_methods_supported: ['header'],
    })
    const { body } = await fleet.request('GET', '/.well-known/oauth-protected-resource')
    expect(body).toMatchObject({ resource: fleet.baseUrl, authorization_servers: [fleet.baseUrl] })
  })
})

describe('oauth4webapi', () => {
  it('gets tokens for the MCP endpoint by a code, refreshes and revokes them', async () => {
    const authorization = await authorize()
    const tokens = await redeem(authorization)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'data:read mcp:use' })
    const { server } = authorization
    const request = new Request(mcpUrl(), { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(await strict.validateJwtAccessToken(server, request, mcpUrl(), overHttp)).toMatchObject({
      client_id: client.client_id,
      workspace_id: expect.stringMatching(/^ws_/),
    })
    expect([401, 403]).not.toContain((await callMcp(tokens.access_token)).status)
    expect((await fleet.request('GET', '/v1/auth/me', { as: tokens.access_token })).body.code).toBe('invalid_token')
    const refreshed = await strict.processRefreshTokenResponse(
      server,
      client,
      await strict.refreshTokenGrantRequest(server, client, strict.None(), tokens.refresh_token ?? '', overHttp),
    )
    expect(refreshed.scope).toBe('data:read mcp:use')
    await strict.processRevocationResponse(
      await strict.revocationRequest(server, client, strict.None(), refreshed.refresh_token ?? '', overHttp),
    )
    await eventually(async () => (await callMcp(refreshed.access_token)).status === 401)
  })

  it('gets invalid_grant for a code used twice, and the tokens of the first use end', async () => {
    const authorization = await authorize()
    const tokens = await redeem(authorization)
    await expect(redeem(authorization)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
    await eventually(async () => (await callMcp(tokens.access_token)).status === 401)
  })

  it('gets invalid_grant for a wrong verifier', async () => {
    const authorization = await authorize()
    const verifier = createHash('sha256').update(authorization.verifier).digest('base64url')
    await expect(redeem({ ...authorization, verifier })).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('registers itself (RFC 7591)', async () => {
    const { server } = await discover()
    const metadata = {
      client_name: 'Registered client',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }
    const response = await strict.dynamicClientRegistrationRequest(server, metadata, overHttp)
    const registered = await strict.processDynamicClientRegistrationResponse(response)
    expect(registered).toMatchObject({ client_id: expect.stringMatching(/^dcr\./), redirect_uris: [redirectUri] })
    const refused = await strict.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: ['http://a.example'] },
      overHttp,
    )
    await expect(strict.processDynamicClientRegistrationResponse(refused)).rejects.toMatchObject({
      error: 'invalid_redirect_uri',
    })
  })
})
