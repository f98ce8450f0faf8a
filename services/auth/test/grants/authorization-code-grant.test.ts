import { afterAll, describe, expect, it } from '@jest/globals'
import { clientScopes, mcpScopes } from '@wp/contracts'
import { decodeJwt } from 'jose'
import { runConcurrently, subject } from '../fixture/auth.ts'
import { type AuthorizedClient, base, startTestAuthorization } from '../fixture/authorization.ts'
import { hiddenFieldsOf } from '../fixture/browser.ts'
import { pkce } from '../fixture/sign-in.ts'

const mcpResource = `${base}/api/v1/mcp/mcp`

const fixture = await startTestAuthorization()
afterAll(() => fixture.stop())

let serial = 0
const authorize = (changes?: Record<string, string | undefined>) =>
  fixture.authorize(`person${++serial}@example.test`, changes)
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const refresh = (refreshToken: string, more: Record<string, string> = {}) =>
  fixture.redeem({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: fixture.clientId, ...more })

/** Redeems the code of an authorized client. */
async function signInClient(changes?: Record<string, string | undefined>) {
  const authorized = await authorize(changes)
  const { status, body } = await fixture.redeem(authorized.tokenRequest)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...authorized, tokens: body.data, claims: decodeJwt(body.access_token) }
}

const sessionOf = async (sessionId: unknown) =>
  (
    await fixture.auth.rows<{ endReason: string | null; clientName: string; grantedScopes: string[] }>(
      'SELECT end_reason, client_name, granted_scopes FROM sessions WHERE session_id = $1',
      [sessionId],
    )
  )[0]

describe('a code', () => {
  it('is exchanged for tokens of the client, workspace, scopes and resource that the user granted', async () => {
    const { tokens, claims, tokenRequest } = await signInClient({ resource: mcpResource })
    const [workspace] = await fixture.auth.rows<{ workspaceId: string }>(
      'SELECT workspace_id FROM memberships WHERE user_id = $1',
      [tokens.user.user_id],
    )
    expect(claims).toMatchObject({
      sub: tokens.user.user_id,
      client_id: tokenRequest.client_id,
      workspace_id: workspace?.workspaceId,
      scope: 'data:read mcp:use',
      aud: [mcpResource],
    })
    expect(tokens).toMatchObject({ scope: 'data:read mcp:use', token_type: 'Bearer', expires_in: 3600 })
    expect(await sessionOf(claims.sid)).toMatchObject({ clientName: 'Test client', endReason: null })
  })

  it('states when the user signed in to the browser, and no maximum age of it, also after a refresh', async () => {
    const { tokenRequest } = await authorize()
    await fixture.auth.rows(`UPDATE authorization_codes SET authenticated_at = '2026-01-02T03:04:05.678Z'`)
    const { body } = await fixture.redeem(tokenRequest)
    const next = await refresh(body.refresh_token)
    for (const token of [body.access_token, next.body.access_token]) {
      expect(decodeJwt(token)).toMatchObject({ auth_time: Date.parse('2026-01-02T03:04:05Z') / 1000 })
      expect(decodeJwt(token)).not.toHaveProperty('max_auth_age')
    }
  })

  it('is stored as a hash and answers JSON too', async () => {
    const { tokenRequest } = await authorize()
    const rows = await fixture.auth.rows('SELECT * FROM authorization_codes')
    expect(JSON.stringify(rows)).not.toContain(tokenRequest.code)
    const { status, body } = await fixture.open('POST', '/v1/auth/token', { body: tokenRequest })
    expect([status, body.data.scope, body.access_token]).toEqual([200, 'data:read mcp:use', undefined])
  })

  it('grants the scopes of MCP tools when the client names none, and never those that outlive its session', async () => {
    expect((await signInClient({ scope: undefined })).tokens.scope.split(' ')).toEqual(mcpScopes)
    const all = await signInClient({ scope: [...clientScopes, 'auth:keys', 'auth:admin'].join(' ') })
    expect(all.tokens.scope.split(' ')).toEqual(clientScopes)
  })

  it.each<[string, (authorized: AuthorizedClient) => Record<string, string>]>([
    ['another verifier', () => ({ code_verifier: pkce().verifier })],
    ['a verifier that is too short', () => ({ code_verifier: 'x' })],
    ['the challenge as verifier', () => ({ code_verifier: 'x'.repeat(43) })],
    ['another client', () => ({ client_id: 'https://elsewhere.example/client.json' })],
    ['the console as client', () => ({ client_id: 'console' })],
    ['another redirect_uri', () => ({ redirect_uri: 'https://client.example/other' })],
    ['another resource', () => ({ resource: base })],
    ['another code', () => ({ code: `wpac_${'A'.repeat(43)}` })],
  ])('is refused with %s', async (_, change) => {
    const authorized = await authorize({ resource: mcpResource })
    const { tokenRequest } = authorized
    expect(await fixture.redeem({ ...tokenRequest, ...change(authorized) })).toMatchObject(invalidGrant)
  })

  it('is used up by a wrong verifier or client, because it was stolen', async () => {
    for (const change of [{ code_verifier: pkce().verifier }, { client_id: 'console' }]) {
      const { tokenRequest } = await authorize()
      await fixture.redeem({ ...tokenRequest, ...change })
      expect(await fixture.redeem(tokenRequest)).toMatchObject(invalidGrant)
    }
  })

  it.each<[string, Record<string, string | undefined>, number, string]>([
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['no code_verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['no client_id', { client_id: undefined }, 400, 'invalid_request'],
    ['a secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['a service principal as client', { client_id: 'sp_01h455vb4pex5vsknk084sn02q' }, 401, 'invalid_client'],
    ['a foreign resource', { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
  ])('is not used up by a request with %s', async (_, change, status, error) => {
    const { tokenRequest } = await authorize()
    const changed = Object.entries({ ...tokenRequest, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    expect(await fixture.redeem(Object.fromEntries(changed))).toMatchObject({ status, body: { error } })
    expect((await fixture.redeem(tokenRequest)).status).toBe(200)
  })

  it('expires after a minute', async () => {
    const { tokenRequest } = await authorize()
    await fixture.auth.rows(`UPDATE authorization_codes SET expires_at = expires_at - interval '60 seconds'`)
    expect(await fixture.redeem(tokenRequest)).toMatchObject(invalidGrant)
  })

  it('is refused when the user was disabled', async () => {
    const { tokenRequest } = await authorize()
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE email = $1', [`person${serial}@example.test`])
    expect((await fixture.redeem(tokenRequest)).status).toBe(401)
  })

  it('ends the session that began with it when it is used again', async () => {
    const { tokenRequest, tokens, claims } = await signInClient()
    expect(await fixture.redeem(tokenRequest)).toMatchObject(invalidGrant)
    expect(await sessionOf(claims.sid)).toMatchObject({ endReason: 'reuse' })
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  })

  it('starts one session at most when it is used concurrently', async () => {
    const { tokenRequest } = await authorize()
    const [row] = await fixture.auth.rows<{ hash: string }>(
      'SELECT hash FROM authorization_codes ORDER BY created_at DESC LIMIT 1',
    )
    const answers = await runConcurrently(
      fixture.auth,
      { table: 'authorization_codes', field: 'hash', value: row?.hash ?? '' },
      [0, 1].map(() => () => fixture.redeem(tokenRequest)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const succeeded = answers.find(({ status }) => status === 200)
    expect(await refresh(succeeded?.body.refresh_token)).toMatchObject(invalidGrant)
  })
})

describe('the refresh token of a client', () => {
  it('is bound to it: another client gets invalid_grant, and the token stays valid', async () => {
    const { tokens } = await signInClient()
    for (const client_id of ['console', 'https://elsewhere.example/client.json'])
      expect(await refresh(tokens.refresh_token, { client_id })).toMatchObject(invalidGrant)
    const bare = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect(await fixture.redeem(bare)).toMatchObject(invalidGrant)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('of the console is refused to any other client', async () => {
    const { refreshToken } = await fixture.auth.signIn(fixture.auth.seeded.owner_user_id)
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant)
    expect((await refresh(refreshToken, { client_id: 'console' })).status).toBe(200)
  })

  it('keeps client, workspace, scopes and resource, and may narrow the scopes', async () => {
    const { tokens, claims } = await signInClient({ resource: mcpResource })
    const next = (await refresh(tokens.refresh_token)).body
    const { workspace_id, client_id, scope, aud, sid } = decodeJwt(next.access_token)
    expect({ workspace_id, client_id, scope, aud, sid }).toEqual({
      workspace_id: claims.workspace_id,
      client_id: claims.client_id,
      scope: claims.scope,
      aud: claims.aud,
      sid: claims.sid,
    })
    const narrow = (await refresh(next.refresh_token, { scope: 'mcp:use data:write' })).body
    expect(narrow.scope).toBe('mcp:use')
    expect((await refresh(narrow.refresh_token)).body.scope).toBe('data:read mcp:use')
  })

  it.each([
    [{ scope: 'data:write' }, 'invalid_scope'],
    [{ resource: base }, 'invalid_target'],
    [{ workspace_id: 'ws_01h455vb4pex5vsknk084sn02q' }, 'invalid_request'],
  ])('grants nothing beyond: %j', async (change, error) => {
    const { tokens } = await signInClient({ resource: mcpResource })
    expect(await refresh(tokens.refresh_token, change)).toMatchObject({ status: 400, body: { error } })
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('grants only what the user still has', async () => {
    const { tokens } = await signInClient({ scope: 'data:read data:write' })
    const user = [tokens.user.user_id]
    await fixture.auth.rows(`UPDATE memberships SET built_in_role = 'viewer' WHERE user_id = $1`, user)
    const next = (await refresh(tokens.refresh_token)).body
    expect(next.scope).toBe('data:read')
    await fixture.auth.rows('DELETE FROM memberships WHERE user_id = $1', user)
    expect(await refresh(next.refresh_token)).toMatchObject(invalidGrant)
  })
})

describe('the session of a client', () => {
  it('is listed with the name of the client, ended by the user, and revoked by the client only', async () => {
    const { tokens, claims } = await signInClient()
    const { workspace_id, sub } = claims
    const user = subject('user', String(sub), String(workspace_id), fixture.auth.context.shard)
    const caller = { ...user, credentialId: String(claims.sid), workspaceId: null }
    const list = await fixture.auth.request('GET', '/v1/auth/sessions', { caller })
    expect(list.body.data).toMatchObject([
      { id: claims.sid, client_id: fixture.clientId, client_name: 'Test client', method: 'mail', current: true },
      { client_id: null, client_name: null, method: 'mail', current: false },
    ])
    const revoke = (form: Record<string, string>) => fixture.open('POST', '/v1/auth/revoke', { form })
    for (const token of [tokens.refresh_token, tokens.access_token])
      for (const client_id of ['console', 'https://elsewhere.example/client.json'])
        expect(await revoke({ token, client_id })).toMatchObject(invalidGrant)
    expect((await revoke({ token: tokens.refresh_token, client_id: fixture.clientId })).status).toBe(200)
    expect(await sessionOf(claims.sid)).toMatchObject({ endReason: 'revoked' })
    const [, browser] = list.body.data
    const ended = await fixture.auth.request('DELETE', `/v1/auth/sessions/${browser.id}`, { caller })
    expect(ended.status).toBe(200)
  })

  it('of a browser is no longer used after the user has ended it', async () => {
    const { browser, claims } = await signInClient()
    await fixture.auth.rows('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [claims.sub])
    const page = await browser.open(`/v1/auth/authorize?${fixture.request().query}`)
    expect(hiddenFieldsOf(page)).toHaveProperty('authorization')
  })
})
