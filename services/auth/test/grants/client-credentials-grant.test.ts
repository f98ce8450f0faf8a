import { afterAll, describe, expect, it } from '@jest/globals'
import { scopes } from '@wp/contracts'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { startTestAuth } from '../fixture/auth.ts'

const base = 'http://localhost:4000'

const auth = await startTestAuth()
const client = { client_id: auth.seeded.client_id, client_secret: String(auth.seeded.client_secret) }
afterAll(() => auth.stop())

/** Verifies a token with the published keys only. */
async function verified(token: string, audience = base) {
  const { body } = await auth.request('GET', '/.well-known/jwks.json')
  const options = { issuer: base, audience, typ: 'at+jwt', algorithms: ['ES256'] }
  return await jwtVerify(token, createLocalJWKSet(body), options)
}

const form = (fields: Record<string, string>) => new URLSearchParams({ grant_type: 'client_credentials', ...fields })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('the client credentials grant', () => {
  it('returns a token that can be verified with the published keys', async () => {
    const workspace_id = auth.seeded.workspace_id
    const { status, headers, body } = await auth.token({ ...client, workspace_id, scope: 'workspace:read data:read' })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'workspace:read data:read',
    })
    const { payload, protectedHeader } = await verified(body.access_token)
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(payload).toEqual({
      iss: base,
      aud: [base, `${base}/api/v1/mcp/mcp`],
      sub: client.client_id,
      client_id: client.client_id,
      jti: expect.any(String),
      principal_type: 'service_principal',
      workspace_id,
      shard: auth.context.shard,
      location: 'TST',
      scope: 'workspace:read data:read',
      iat: expect.any(Number),
      exp: Number(payload.iat) + 3600,
    })
  })

  it('grants all scopes by default and gives each token a unique id', async () => {
    const [one, two] = await Promise.all([auth.token(client), auth.token(client)])
    expect(one.body.scope).toBe(scopes.join(' '))
    const [a, b] = await Promise.all([verified(one.body.access_token), verified(two.body.access_token)])
    expect(a.payload.jti).not.toBe(b.payload.jti)
  })

  it('ignores unknown fields', async () => {
    expect((await auth.token({ ...client, audience: 'x', nested: { a: 1 } })).status).toBe(200)
  })

  it.each([
    ['data:everything', 'an unknown scope'],
    ['data:read data:everything', 'one unknown scope'],
    ['', 'an empty scope'],
  ])('rejects the scope "%s": %s', async (scope) => {
    const { status, body } = await auth.token({ ...client, scope })
    expect([status, body.error, body.code]).toEqual([400, 'invalid_scope', 'invalid_scope'])
  })

  it('grants the requested scopes the client has and fails without any', async () => {
    const created = await auth.request('POST', '/v1/auth/admin/service-principals', {
      body: { name: 'reader', scopes: ['data:read', 'workspace:read'] },
    })
    const { client_id, client_secret } = created.body.data
    const some = await auth.token({ client_id, client_secret, scope: 'data:write data:read' })
    expect(some.body.scope).toBe('data:read')
    const none = await auth.token({ client_id, client_secret, scope: 'data:write' })
    expect([none.status, none.body.error]).toEqual([400, 'invalid_scope'])
  })

  it.each(['implicit', 'password', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'rejects the grant type %s',
    async (grant_type) => {
      const { status, body } = await auth.token({ ...client, grant_type })
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
    },
  )

  it('names a missing field', async () => {
    const { status, body } = await auth.token({ client_id: client.client_id })
    expect([status, body.error, body.errors]).toEqual([
      400,
      'invalid_request',
      [{ pointer: '/client_secret', detail: 'is required' }],
    ])
  })

  it.each([[{ client_id: 7 }], [{ client_id: null }], [{ client_secret: ['x'] }]])(
    'rejects a field of the wrong type: %j',
    async (fields) => {
      const { status, headers, body } = await auth.token({ ...client, ...fields })
      expect([status, body.error]).toEqual([400, 'invalid_request'])
      expect(headers.get('content-type')).toContain('application/json')
    },
  )
})

describe('a failed client authentication', () => {
  const refusal = async (given: Record<string, unknown>) => {
    const { status, headers, body } = await auth.token(given)
    const { request_id, ...rest } = body
    expect(request_id).toEqual(expect.any(String))
    return { status, challenge: headers.get('www-authenticate'), rest }
  }

  it('returns the same error for every wrong credential', async () => {
    const wrong = await refusal({ ...client, client_secret: 'wrong' })
    expect(wrong).toEqual({
      status: 401,
      challenge: 'Basic realm="token", charset="UTF-8"',
      rest: expect.objectContaining({ success: false, code: 'invalid_client', error: 'invalid_client' }),
    })
    const other = await auth.workspace()
    const variants = [
      { ...client, client_id: 'sp_01h455vb4pex5vsknk084sn02q' },
      { ...client, client_id: 'unknown' },
      { ...client, client_id: 'nul\u0001' },
      { ...client, client_secret: '' },
      { ...client, workspace_id: other.workspaceId },
      { ...client, workspace_id: 'nowhere' },
    ]
    for (const variant of variants) expect(await refusal(variant)).toEqual(wrong)
  })

  it('returns the same error when the client is disabled or deleted, or its workspace deleted', async () => {
    const wrong = await refusal({ ...client, client_secret: 'wrong' })
    const other = await auth.workspace()
    const admin = { caller: other.owner }
    const create = async () => {
      const body = { name: 'short-lived', scopes: ['data:read'] }
      const created = await auth.request('POST', '/v1/auth/admin/service-principals', { ...admin, body })
      const { client_id, client_secret } = created.body.data
      expect((await auth.token({ client_id, client_secret })).status).toBe(200)
      return { client_id, client_secret }
    }
    const disabled = await create()
    const path = (id: string) => `/v1/auth/admin/service-principals/${id}`
    await auth.request('PATCH', path(disabled.client_id), { ...admin, body: { status: 'disabled' } })
    expect(await refusal(disabled)).toEqual(wrong)
    const deleted = await create()
    await auth.request('DELETE', path(deleted.client_id), admin)
    expect(await refusal(deleted)).toEqual(wrong)
    const homeless = await create()
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [other.workspaceId])
    expect(await refusal(homeless)).toEqual(wrong)
  })
})

describe('a form-encoded token request', () => {
  it('accepts the client in the body', async () => {
    const { status, body } = await auth.token(form({ ...client, scope: 'data:read', unknown: 'x' }))
    expect([status, body.scope]).toEqual([200, 'data:read'])
  })

  it('accepts HTTP Basic, also with the client id in the body', async () => {
    const header = basic(client.client_id, client.client_secret)
    expect((await auth.token(form({}), header)).status).toBe(200)
    expect((await auth.token(form({ client_id: client.client_id }), header)).status).toBe(200)
  })

  it('decodes form-encoded HTTP Basic credentials', async () => {
    const escaped = [...client.client_secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
    expect((await auth.token(form({}), basic(client.client_id, escaped))).status).toBe(200)
  })

  it('accepts HTTP Basic with a JSON body', async () => {
    expect((await auth.token({}, basic(client.client_id, client.client_secret))).status).toBe(200)
  })

  it('rejects two kinds of client authentication', async () => {
    const header = basic(client.client_id, client.client_secret)
    const twice = await auth.token(form({ client_secret: client.client_secret }), header)
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
    const other = await auth.token(form({ client_id: 'sp_01h455vb4pex5vsknk084sn02q' }), header)
    expect([other.status, other.body.error]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['Basic'],
    ['Basic !!!'],
    [`Basic ${Buffer.from('no colon').toString('base64')}`],
    [`Basic ${Buffer.from('a:%zz').toString('base64')}`],
    [`Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`],
    [`Basic ${Buffer.from('a:b%00').toString('base64')}`],
  ])('returns 401 with a challenge for %s', async (authorization) => {
    const { status, headers, body } = await auth.token(form({}), { authorization })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect(headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('requires a grant type and rejects repeated fields', async () => {
    const without = await auth.token(new URLSearchParams(client))
    expect([without.status, without.body.error]).toEqual([400, 'invalid_request'])
    const doubled = form(client)
    doubled.append('client_id', client.client_id)
    const twice = await auth.token(doubled)
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
  })

  it('treats an empty field as missing', async () => {
    const { status, body } = await auth.token(form({ ...client, scope: '', workspace_id: '' }))
    expect([status, body.scope]).toEqual([200, scopes.join(' ')])
  })

  it('rejects NUL characters', async () => {
    const { status, body } = await auth.token(form({ ...client, client_id: 'sp_\0' }))
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('the resource parameter', () => {
  it.each([
    [base, [base]],
    [`${base}/`, [base]],
    [`${base}/api/v1/mcp/mcp`, [`${base}/api/v1/mcp/mcp`]],
  ])('sets the audience for %s', async (resource, audience) => {
    const { body } = await auth.token({ ...client, resource })
    const { payload } = await verified(body.access_token, audience[0])
    expect(payload.aud).toEqual(audience)
  })

  it.each([
    [
      [base, `${base}/api/v1/mcp/mcp`],
      [base, `${base}/api/v1/mcp/mcp`],
    ],
    [
      [`${base}/api/v1/mcp/mcp`, base],
      [base, `${base}/api/v1/mcp/mcp`],
    ],
    [[base, `${base}/`], [base]],
  ])('sets the audience for each when it occurs twice: %j', async (resources, audience) => {
    const sent = new URLSearchParams({ ...client, grant_type: 'client_credentials' })
    for (const resource of resources) sent.append('resource', resource)
    const { body } = await auth.token(sent)
    const { payload } = await verified(body.access_token, base)
    expect(payload.aud).toEqual(audience)
  })

  it('rejects a foreign resource beside one of ours, and any other parameter that occurs twice', async () => {
    const send = (...added: [string, string][]) => auth.token(new URLSearchParams([...form(client), ...added]))
    const foreign = await send(['resource', base], ['resource', 'https://example.test'])
    expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_target'])
    const twice = await send(['scope', 'data:read'], ['scope', 'data:read'])
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
  })

  it('rejects a foreign resource', async () => {
    const { status, body } = await auth.token({ ...client, resource: 'https://example.test' })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
  })
})

describe('OAuth metadata', () => {
  it('contains only public keys in the JWKS', async () => {
    const { status, body } = await auth.request('GET', '/.well-known/jwks.json')
    expect(status).toBe(200)
    expect(body.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
    const token = await auth.token(client)
    expect(decodeProtectedHeader(token.body.access_token).kid).toBe(body.keys[0].kid)
  })

  it('contains the supported endpoints and methods', async () => {
    const { body } = await auth.request('GET', '/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/v1/auth/token`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
      response_types_supported: ['code'],
      authorization_endpoint: `${base}/v1/auth/authorize`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint: `${base}/v1/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(body.scopes_supported).toEqual([...scopes])
  })
})
