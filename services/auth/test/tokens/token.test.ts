import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { scopes } from '@wp/contracts'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { startTestAuth, type TestAuth } from '../fixture/auth.ts'

const base = 'http://localhost:4000'
let auth: TestAuth
let client: { client_id: string; client_secret: string }

beforeAll(async () => {
  auth = await startTestAuth()
  client = { client_id: auth.seeded.client_id, client_secret: String(auth.seeded.client_secret) }
})
afterAll(() => auth.stop())

/** As somebody would who knows nothing but the published keys. */
async function verified(token: string, audience = base) {
  const { body } = await auth.request('GET', '/.well-known/jwks.json')
  const options = { issuer: base, audience, typ: 'at+jwt', algorithms: ['ES256'] }
  return await jwtVerify(token, createLocalJWKSet(body), options)
}

const form = (fields: Record<string, string>) => new URLSearchParams({ grant_type: 'client_credentials', ...fields })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('form A', () => {
  it('exchanges client credentials for a token that a stranger can verify', async () => {
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

  it('grants everything the principal may have where no scope is asked for, and gives every token its own id', async () => {
    const [one, two] = await Promise.all([auth.token(client), auth.token(client)])
    expect(one.body.scope).toBe(scopes.join(' '))
    const [a, b] = await Promise.all([verified(one.body.access_token), verified(two.body.access_token)])
    expect(a.payload.jti).not.toBe(b.payload.jti)
  })

  it('ignores fields it does not know', async () => {
    expect((await auth.token({ ...client, audience: 'x', nested: { a: 1 } })).status).toBe(200)
  })

  it.each([
    ['data:everything', 'an unknown scope'],
    ['data:read data:everything', 'one unknown among known ones'],
    ['', 'none at all'],
  ])('refuses the scope "%s": %s', async (scope) => {
    const { status, body } = await auth.token({ ...client, scope })
    expect([status, body.error, body.code]).toEqual([400, 'invalid_scope', 'invalid_scope'])
  })

  it('grants what is asked and allowed, and nothing where both share nothing', async () => {
    const made = await auth.request('POST', '/v1/auth/admin/service-principals', {
      body: { name: 'reader', scopes: ['data:read', 'workspace:read'] },
    })
    const { client_id, client_secret } = made.body.data
    const some = await auth.token({ client_id, client_secret, scope: 'data:write data:read' })
    expect(some.body.scope).toBe('data:read')
    const none = await auth.token({ client_id, client_secret, scope: 'data:write' })
    expect([none.status, none.body.error]).toEqual([400, 'invalid_scope'])
  })

  it.each(['implicit', 'password', 'authorization_code'])('does not support the grant type %s', async (grant_type) => {
    const { status, body } = await auth.token({ ...client, grant_type })
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
  })

  it('says which field is missing', async () => {
    const { status, body } = await auth.token({ client_id: client.client_id })
    expect([status, body.error, body.errors]).toEqual([
      400,
      'invalid_request',
      [{ pointer: '/client_secret', detail: 'is required' }],
    ])
  })

  it.each([[{ client_id: 7 }], [{ client_id: null }], [{ client_secret: ['x'] }]])(
    'refuses a field of the wrong type: %j',
    async (fields) => {
      const { status, headers, body } = await auth.token({ ...client, ...fields })
      expect([status, body.error]).toEqual([400, 'invalid_request'])
      expect(headers.get('content-type')).toContain('application/json')
    },
  )
})

describe('a client that is not let in', () => {
  const refusal = async (given: Record<string, unknown>) => {
    const { status, headers, body } = await auth.token(given)
    const { request_id, ...rest } = body
    expect(request_id).toEqual(expect.any(String))
    return { status, challenge: headers.get('www-authenticate'), rest }
  }

  it('gets one answer, whatever is wrong with its credentials', async () => {
    const wrong = await refusal({ ...client, client_secret: 'wrong' })
    expect(wrong).toEqual({
      status: 401,
      challenge: 'Basic realm="token", charset="UTF-8"',
      rest: expect.objectContaining({ success: false, code: 'invalid_client', error: 'invalid_client' }),
    })
    const other = await auth.workspace()
    const ways = [
      { ...client, client_id: 'sp_01h455vb4pex5vsknk084sn02q' },
      { ...client, client_id: 'nobody' },
      { ...client, client_id: 'nul\u0001' },
      { ...client, client_secret: '' },
      { ...client, workspace_id: other.workspaceId },
      { ...client, workspace_id: 'nowhere' },
    ]
    for (const way of ways) expect(await refusal(way)).toEqual(wrong)
  })

  it('gets the same answer once it is disabled, deleted, or its workspace is', async () => {
    const wrong = await refusal({ ...client, client_secret: 'wrong' })
    const other = await auth.workspace()
    const admin = { caller: other.owner }
    const create = async () => {
      const body = { name: 'short-lived', scopes: ['data:read'] }
      const made = await auth.request('POST', '/v1/auth/admin/service-principals', { ...admin, body })
      const { client_id, client_secret } = made.body.data
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

describe('form-encoded', () => {
  it('takes the client from the body', async () => {
    const { status, body } = await auth.token(form({ ...client, scope: 'data:read', unknown: 'x' }))
    expect([status, body.scope]).toEqual([200, 'data:read'])
  })

  it('takes the client from HTTP Basic, also with its id beside it', async () => {
    const header = basic(client.client_id, client.client_secret)
    expect((await auth.token(form({}), header)).status).toBe(200)
    expect((await auth.token(form({ client_id: client.client_id }), header)).status).toBe(200)
  })

  it('decodes what HTTP Basic carries form-encoded', async () => {
    const escaped = [...client.client_secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
    expect((await auth.token(form({}), basic(client.client_id, escaped))).status).toBe(200)
  })

  it('takes HTTP Basic beside JSON as well', async () => {
    expect((await auth.token({}, basic(client.client_id, client.client_secret))).status).toBe(200)
  })

  it('refuses two ways of saying who one is', async () => {
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
  ])('answers 401 with a challenge to %s', async (authorization) => {
    const { status, headers, body } = await auth.token(form({}), { authorization })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect(headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('needs a grant type and takes no field twice', async () => {
    const without = await auth.token(new URLSearchParams(client))
    expect([without.status, without.body.error]).toEqual([400, 'invalid_request'])
    const doubled = form(client)
    doubled.append('client_id', client.client_id)
    const twice = await auth.token(doubled)
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
  })

  it('reads an empty field as left out', async () => {
    const { status, body } = await auth.token(form({ ...client, scope: '', workspace_id: '' }))
    expect([status, body.scope]).toEqual([200, scopes.join(' ')])
  })

  it('refuses NUL as a request that is not valid', async () => {
    const { status, body } = await auth.token(form({ ...client, client_id: 'sp_\0' }))
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('resource', () => {
  it.each([
    [base, [base]],
    [`${base}/`, [base]],
    [`${base}/api/v1/mcp/mcp`, [`${base}/api/v1/mcp/mcp`]],
  ])('narrows the audience to %s', async (resource, audience) => {
    const { body } = await auth.token({ ...client, resource })
    const { payload } = await verified(body.access_token, audience[0])
    expect(payload.aud).toEqual(audience)
  })

  it('refuses what is none of ours', async () => {
    const { status, body } = await auth.token({ ...client, resource: 'https://example.test' })
    expect([status, body.error]).toEqual([400, 'invalid_target'])
  })
})

describe('what an OAuth library learns by itself', () => {
  it('publishes public keys only', async () => {
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

  it('publishes metadata that is true', async () => {
    const { body } = await auth.request('GET', '/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/v1/auth/token`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials', 'refresh_token'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint: `${base}/v1/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(body.scopes_supported).toEqual([...scopes])
  })
})
