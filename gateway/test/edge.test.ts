import { connect } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'system'] })
const token = await fleet.token(fleet.owner)
afterAll(() => fleet.stop())

const problemWith = (status: number, code: string) => ({
  status,
  body: expect.objectContaining({ success: false, code, status }),
})

describe('the edge', () => {
  it('accepts a token and an API key', async () => {
    for (const as of [token, fleet.owner.apiKey]) {
      const response = await fleet.request('GET', '/v1/system/workspace', { as })
      expect(response).toMatchObject({
        status: 200,
        body: { success: true, data: { workspace_id: fleet.owner.workspaceId } },
      })
    }
  })

  it('sets the rate-limit headers on every response', async () => {
    const { headers } = await fleet.request('GET', '/v1/system/workspace', { as: token })
    expect(headers.get('ratelimit-policy')).toBe('"credential";q=600;w=60, "workspace";q=3000;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=\d+;t=\d+, "workspace";r=\d+;t=\d+$/)
  })

  it.each([
    ['an unknown path', 'GET', '/v1/nothing', {}, 404],
    ['another method', 'PATCH', '/v1/system/health', {}, 405],
    ['no credential', 'GET', '/v1/auth/me', {}, 401],
    ['an unknown credential', 'GET', '/v1/auth/me', { as: 'unknown' }, 401],
    ['no permission', 'GET', '/v1/auth/sessions', { as: 'key' }, 403],
    ['a sign-in', 'POST', '/v1/auth/login', { body: { email: 'kim@example.com' } }, 202],
    ['a failed sign-in', 'POST', '/v1/auth/verify', { body: { login_id: 'none', code: '000000' } }, 401],
    ['the root path', 'GET', '/', {}, 200],
  ])('sets the rate-limit headers of the response to %s', async (_case, method, path, options, status) => {
    const as = 'as' in options ? { as: options.as === 'key' ? fleet.owner.apiKey : String(options.as) } : {}
    const response = await fleet.request(method, path, { ...options, ...as })
    expect(response.status).toBe(status)
    expect(response.headers.get('ratelimit-policy')).toMatch(/^"[a-z-]+";q=\d+;w=\d+/)
    expect(response.headers.get('ratelimit')).toMatch(/^"[a-z-]+";r=\d+;t=\d+/)
  })

  it('names both headers when no credential is sent, and the right one for a misplaced credential', async () => {
    const detailOf = async (headers: Record<string, string>) =>
      (await fleet.request('GET', '/v1/auth/me', { headers })).body.detail
    expect(await detailOf({})).toBe(
      'Send an access token as `Authorization: Bearer <token>` or an API key as `x-api-key: <key>`',
    )
    const { apiKey } = fleet.owner
    for (const authorization of [`Bearer ${apiKey}`, apiKey, `ApiKey ${apiKey}`])
      expect(await detailOf({ authorization })).toBe('An API key goes into x-api-key, not Authorization')
    for (const key of [token, `Bearer ${token}`])
      expect(await detailOf({ 'x-api-key': key })).toBe('A token goes into Authorization: Bearer, not x-api-key')
    expect(await detailOf({ authorization: 'Basic a2ltOng=' })).toBe(
      'The Authorization header must be Bearer and a token',
    )
  })

  it('checks path, method, credential, scope and input in this order', async () => {
    expect(await fleet.request('GET', '/v1/nothing')).toMatchObject(problemWith(404, 'not_found'))
    const method = await fleet.request('PATCH', '/v1/system/health')
    expect(method).toMatchObject(problemWith(405, 'method_not_allowed'))
    expect(method.headers.get('allow')).toBe('GET, HEAD')
    const none = await fleet.request('POST', '/v1/system/workspace/variables', { body: {} })
    expect(none).toMatchObject(problemWith(401, 'missing_credential'))
    expect(none.headers.get('www-authenticate')).toBe('Bearer')
    const narrow = await fleet.token(fleet.owner, 'workspace:read')
    expect(await fleet.request('POST', '/v1/system/workspace/variables', { as: narrow, body: {} })).toMatchObject(
      problemWith(403, 'missing_scope'),
    )
    expect(await fleet.request('POST', '/v1/system/workspace/variables', { as: token, body: {} })).toMatchObject(
      problemWith(400, 'validation_failed'),
    )
  })

  it('responds with 404 to internal endpoints and with 503 when a service is unavailable', async () => {
    expect(await fleet.request('POST', '/internal/auth/resolve', { as: token, body: {} })).toMatchObject(
      problemWith(404, 'not_found'),
    )
    expect(await fleet.request('GET', '/v1/data/sources', { as: token })).toMatchObject(
      problemWith(503, 'service_unavailable'),
    )
  })

  it.each([
    '/v1/system/../auth/me',
    '/v1/system/%2e%2e/auth/me',
    '//v1/system/health',
    '/v1/auth/api-key/..%2fx',
    '/v1/auth/api-key/%00',
  ])('responds with 404 to %s', async (path) => {
    const { hostname, port } = new URL(fleet.baseUrl)
    const response = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('end', () => resolve(text))
    })
    expect(response).toMatch(/^HTTP\/1.1 404 /)
  })
})

describe('workspace selection', () => {
  it('rejects a workspace other than the one the credential is bound to', async () => {
    const ask = (as: string, key: string) =>
      fleet.request('GET', '/v1/system/workspace', { as, headers: { 'x-workspace-key': key } })
    for (const as of [token, fleet.owner.apiKey]) {
      expect((await ask(as, fleet.owner.workspaceId)).status).toBe(200)
      expect(await ask(as, fleet.stranger.workspaceId)).toMatchObject(problemWith(403, 'workspace_mismatch'))
    }
  })

  it('lets a user select one of their workspaces', async () => {
    const user = await fleet.userToken(fleet.owner.ownerId)
    const ask = (headers: Record<string, string> = {}) =>
      fleet.request('GET', '/v1/system/workspace', { as: user, headers })
    expect((await ask()).body.data.workspace_id).toBe(fleet.owner.workspaceId)
    expect(await ask({ 'x-workspace-key': fleet.stranger.workspaceId })).toMatchObject(
      problemWith(403, 'workspace_forbidden'),
    )
    const made = await fleet.request('POST', '/v1/system/workspaces', { as: user, body: { name: 'Second' } })
    expect(made.status).toBe(201)
    await expect(waitForSecondWorkspace(user)).resolves.toMatchObject(problemWith(400, 'workspace_required'))
    const second = await ask({ 'x-workspace-key': made.body.data.workspace_id })
    expect(second.body.data).toMatchObject({ name: 'Second' })
    expect((await fleet.request('GET', '/v1/system/workspaces', { as: user })).body.data).toHaveLength(2)
    expect((await fleet.request('GET', '/v1/auth/me', { as: user })).body.data.workspaces).toHaveLength(2)
  })

  async function waitForSecondWorkspace(user: string) {
    return eventually(async () => {
      const response = await fleet.request('GET', '/v1/system/workspace', { as: user })
      return response.status === 400 ? response : false
    })
  }
})

describe('revocation', () => {
  it('of a key takes effect at the edge when the invalidation arrives', async () => {
    const made = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: { name: 'short-lived' } })
    const { api_key: key, key_id: id } = made.body.data
    expect((await fleet.request('GET', '/v1/auth/me', { as: key })).status).toBe(200)
    expect((await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: token })).status).toBe(200)
    const response = await eventually(
      async () => {
        const now = await fleet.request('GET', '/v1/auth/me', { as: key })
        return now.status === 401 ? now : false
      },
      { intervalMs: 5 },
    )
    expect(response).toMatchObject(problemWith(401, 'revoked_credential'))
  })
})

describe('the documentation', () => {
  it('begins at the root path: as JSON for clients, and with a redirect for browsers', async () => {
    const response = await fleet.request('GET', '/')
    expect(response).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          console: `${fleet.baseUrl}/console/`,
          docs: `${fleet.baseUrl}/docs`,
          openapi: `${fleet.baseUrl}/openapi.json`,
        },
      },
    })
    const page = await fleet.request('GET', '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(page.status).toBe(302)
    expect(page.headers.get('location')).toBe('/docs')
    expect(page.headers.get('vary')).toMatch(/accept/i)
    expect(await fleet.request('POST', '/')).toMatchObject(problemWith(405, 'method_not_allowed'))
  })

  it('is served as OpenAPI 3.1', async () => {
    const document = await fleet.request('GET', '/openapi.json')
    expect(document.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: fleet.baseUrl }] })
  })

  it('includes public keys and server metadata without a credential', async () => {
    const keys = await fleet.request('GET', '/.well-known/jwks.json')
    expect(keys.body.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256' })
    expect(keys.body.keys[0].d).toBeUndefined()
    expect((await fleet.request('GET', '/.well-known/oauth-authorization-server')).body.issuer).toBe(fleet.baseUrl)
  })
})
