import { afterAll, describe, expect, it } from '@jest/globals'
import type { PresentedCredential } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Subject } from '@wp/service'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import type { StartedSession } from '../../src/index.ts'
import { startTestAuth, subject } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

/** Returns the caller the edge signs for a token of the session. */
const asSession = ({ session }: StartedSession): Subject => ({
  ...subject('user', session.userId, auth.seeded.workspace_id, auth.context.shard),
  workspaceId: null,
  credentialId: session.sessionId,
})
const presented = ({ session }: StartedSession): PresentedCredential => ({
  type: 'token',
  principal_type: 'user',
  principal_id: session.userId,
  session_id: session.sessionId,
})
const status = async (started: StartedSession) => (await auth.resolve(presented(started))).status
const signIn = () => auth.signIn(auth.seeded.owner_user_id)
const audits = (about: string) =>
  auth.rows<{ action: string; actor: string }>(
    `SELECT data->>'action' AS action, data->'actor'->>'id' AS actor FROM platform.outbox WHERE data::text LIKE $1`,
    [`%"${about}"%`],
  )
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  auth.request('POST', '/v1/auth/revoke', {
    caller: { principal: { id: 'anonymous', type: 'anonymous' }, workspaceId: null, scopes: [] },
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const basic = (id: string, secret: string | null) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const revoked = { status: 200, body: { success: true, data: { revoked: true } } }

describe('starting a session', () => {
  it('records method, client address and user agent', async () => {
    const started = await auth.signIn(auth.seeded.owner_user_id, { ip: '203.0.113.4', userAgent: 'x'.repeat(600) })
    const { body } = await auth.request('GET', '/v1/auth/sessions', { caller: asSession(started) })
    expect(body.data[0]).toEqual({
      id: started.session.sessionId,
      method: 'mail',
      client_id: null,
      client_name: null,
      ip: '203.0.113.4',
      user_agent: 'x'.repeat(500),
      device: 'x'.repeat(40),
      current: true,
      created_at: expect.any(String),
      last_used_at: body.data[0].created_at,
      expires_at: started.session.refreshExpiresAt.toISOString(),
    })
  })

  it('returns the tokens of the refresh token grant', async () => {
    const { tokens, session, refreshToken, accessToken } = await signIn()
    expect(tokens).toMatchObject({
      user: { user_id: session.userId, email: 'owner@example.test' },
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: 3600,
    })
    expect(decodeJwt(accessToken).sid).toBe(session.sessionId)
  })
})

describe('listing sessions', () => {
  it('returns the live sessions of the user in pages, newest first', async () => {
    const { userId } = await auth.workspace()
    const started = []
    for (let turn = 0; turn < 5; turn++) started.push(await auth.signIn(userId))
    const [expired, ended, idle, older, newest] = started as [
      StartedSession,
      StartedSession,
      StartedSession,
      StartedSession,
      StartedSession,
    ] // five were started
    await auth.rows('UPDATE sessions SET expires_at = now() WHERE session_id = $1', [expired.session.sessionId])
    await auth.rows('UPDATE refresh_tokens SET expires_at = now() WHERE session_id = $1', [idle.session.sessionId])
    await auth.request('DELETE', `/v1/auth/sessions/${ended.session.sessionId}`, { caller: asSession(newest) })
    const list = (query = '') => auth.request('GET', `/v1/auth/sessions${query}`, { caller: asSession(older) })
    const { body } = await list()
    expect(body.data.map(({ id, current }: { id: string; current: boolean }) => [id, current])).toEqual([
      [newest.session.sessionId, false],
      [older.session.sessionId, true],
    ])
    const first = await list('?limit=1')
    const second = await list(`?limit=1&cursor=${first.body.pagination.next_cursor}`)
    expect([first, second].map((one) => one.body.data[0].id)).toEqual(
      [newest, older].map((one) => one.session.sessionId),
    )
    expect(second.body.pagination.has_more).toBe(false)
  })

  it('shows the last use, stored by the background flush', async () => {
    const started = await signIn()
    const id = started.session.sessionId
    await auth.rows(`UPDATE sessions SET last_used_at = '2026-01-01T00:00:00Z' WHERE session_id = $1`, [id])
    const lastUsed = async () => {
      const [row] = await auth.rows<{ lastUsedAt: Date }>('SELECT last_used_at FROM sessions WHERE session_id = $1', [
        id,
      ])
      return row?.lastUsedAt.getTime() ?? 0
    }
    const locking = await auth.context.database.worker.connect()
    try {
      // The flush waits for the lock, so it cannot store the use before it is read here.
      await locking.query('BEGIN')
      await locking.query('SELECT FROM sessions WHERE session_id = $1 FOR UPDATE', [id])
      await status(started)
      expect(await lastUsed()).toBe(Date.parse('2026-01-01T00:00:00Z'))
      await locking.query('COMMIT')
    } finally {
      locking.release(true)
    }
    await eventually(async () => (await lastUsed()) > Date.now() - 60_000)
  })
})

describe('ending a session', () => {
  it('revokes its tokens and emits an audit event', async () => {
    const [mine, other] = [await signIn(), await signIn()]
    const id = other.session.sessionId
    const response = await auth.request('DELETE', `/v1/auth/sessions/${id}`, { caller: asSession(mine) })
    expect(response.body).toEqual({ success: true, data: { id, deleted: true } })
    expect([await status(other), await status(mine)]).toEqual(['revoked', 'active'])
    expect((await auth.token({ refresh_token: other.refreshToken })).body.error).toBe('invalid_grant')
    expect(await audits(id)).toEqual([{ action: 'session.ended', actor: mine.session.userId }])
    const again = await auth.request('DELETE', `/v1/auth/sessions/${id}`, { caller: asSession(mine) })
    expect(again.status).toBe(404)
  })

  it('returns 404 for a session of another user', async () => {
    const mine = await signIn()
    const theirs = await auth.signIn((await auth.workspace()).userId)
    for (const id of [theirs.session.sessionId, newId('ses'), 'x']) {
      const response = await auth.request('DELETE', `/v1/auth/sessions/${id}`, { caller: asSession(mine) })
      expect(response.status).toBe(404)
    }
    expect(await status(theirs)).toBe('active')
  })
})

describe('logging out', () => {
  it('ends the session of the token once', async () => {
    const started = await signIn()
    const caller = asSession(started)
    const response = await auth.request('POST', '/v1/auth/logout', { caller })
    expect(response.body).toEqual({ success: true, data: { id: started.session.sessionId, ended: true } })
    expect(await status(started)).toBe('revoked')
    expect((await auth.request('POST', '/v1/auth/logout', { caller })).body.code).toBe('revoked_credential')
    expect(await audits(started.session.sessionId)).toEqual([
      { action: 'session.ended', actor: started.session.userId },
    ])
  })

  it('revokes only the token of a service principal', async () => {
    const tokenId = crypto.randomUUID()
    const credentialExpiresAt = new Date(Date.now() + 60_000).toISOString()
    const caller = { ...auth.machine, tokenId, credentialExpiresAt }
    const response = await auth.request('POST', '/v1/auth/logout', { caller })
    expect(response.body).toEqual({ success: true, data: { id: tokenId, ended: true } })
    const { client_id } = auth.seeded
    const machine: PresentedCredential = { type: 'token', principal_type: 'service_principal', principal_id: client_id }
    expect(await auth.resolve(machine)).toMatchObject({ status: 'active', identity: { revoked_token_ids: [tokenId] } })
    expect(await audits(tokenId)).toEqual([{ action: 'access_token.revoked', actor: client_id }])
  })
})

describe('token revocation (RFC 7009)', () => {
  it.each([
    ['without a client', {}],
    ['as the public client', { client_id: 'console' }],
    ['with a wrong type hint', { token_type_hint: 'access_token' }],
  ])('ends the session of a refresh token, %s', async (_, more) => {
    const started = await signIn()
    expect(await form({ token: started.refreshToken, ...more })).toMatchObject(revoked)
    expect(await status(started)).toBe('revoked')
    expect(await audits(started.session.sessionId)).toEqual([
      { action: 'session.ended', actor: started.session.userId },
    ])
  })

  it('ends the session of an access token, form-encoded and as JSON', async () => {
    for (const send of [
      (token: string) => form({ token, token_type_hint: 'refresh_token' }),
      (token: string) => auth.request('POST', '/v1/auth/revoke', { body: { token } }),
    ]) {
      const started = await signIn()
      expect(await send(started.accessToken)).toMatchObject(revoked)
      expect(await status(started)).toBe('revoked')
    }
  })

  it('ends the session of a used refresh token', async () => {
    const started = await signIn()
    await auth.token({ refresh_token: started.refreshToken })
    expect(await form({ token: started.refreshToken })).toMatchObject(revoked)
    expect(await status(started)).toBe('revoked')
  })

  it('revokes the token of a service principal only for that client', async () => {
    const create = async () => {
      const body = { name: 'revoking', scopes: ['data:read'] }
      const { client_id, client_secret } = (await auth.request('POST', '/v1/auth/admin/service-principals', { body }))
        .body.data
      const token = (await auth.token({ client_id, client_secret })).body.access_token
      return { client_id, client_secret, token, jti: String(decodeJwt(token).jti) }
    }
    const [mine, other] = [await create(), await create()]
    expect(await form({ token: mine.token })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await form({ token: mine.token }, basic(mine.client_id, 'wrong'))).toMatchObject({ status: 401 })
    expect(await form({ token: mine.token }, basic(other.client_id, other.client_secret))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    const { client_id, client_secret } = mine
    expect(await form({ token: mine.token }, basic(client_id, client_secret))).toMatchObject(revoked)
    expect(await form({ token: mine.token, client_id, client_secret })).toMatchObject(revoked)
    const machine: PresentedCredential = { type: 'token', principal_type: 'service_principal', principal_id: client_id }
    expect(await auth.resolve(machine)).toMatchObject({ identity: { revoked_token_ids: [mine.jti] } })
    await auth.rows('UPDATE revoked_tokens SET expires_at = now() WHERE token_id = $1', [mine.jti])
    expect(await auth.resolve(machine)).not.toHaveProperty('identity.revoked_token_ids')
  })

  it('compares no secret when the failure limit is exceeded', async () => {
    const { client_id, client_secret } = auth.seeded
    const from = { 'x-forwarded-for': '203.0.113.77' }
    const revokeWith = (secret: string | null) => form({ token: 'x' }, { ...basic(client_id, secret), ...from })
    for (let turn = 0; turn < 20; turn++) expect((await revokeWith('wrong')).status).toBe(401)
    expect((await revokeWith('wrong')).status).toBe(429)
    expect(await revokeWith(client_secret)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })

  it('rejects a service principal that revokes a user’s token', async () => {
    const started = await signIn()
    const { client_id, client_secret } = auth.seeded
    for (const token of [started.refreshToken, started.accessToken]) {
      const response = await form({ token }, basic(client_id, client_secret))
      expect([response.status, response.body.error]).toEqual([400, 'invalid_grant'])
    }
    expect(await status(started)).toBe('active')
  })

  it.each(['x', `wprt_${'A'.repeat(43)}`, 'a.b.c'])('succeeds for the unknown token %s', async (token) => {
    expect(await form({ token })).toMatchObject(revoked)
  })

  it('rejects an API key and a request without a token', async () => {
    const key = await form({ token: String(auth.seeded.api_key) })
    expect([key.status, key.body.error]).toEqual([400, 'unsupported_token_type'])
    const none = await form({})
    expect([none.status, none.body.error, none.body.errors[0].pointer]).toEqual([400, 'invalid_request', '/token'])
  })

  it('revokes all tokens of a service principal after 200 individual revocations', async () => {
    const body = { name: 'busy', scopes: ['data:read'] }
    const created = (await auth.request('POST', '/v1/auth/admin/service-principals', { body })).body.data
    await auth.rows(
      `INSERT INTO revoked_tokens SELECT 'old-' || n, $1, now() + interval '1 hour' FROM generate_series(1, 200) n`,
      [created.client_id],
    )
    const token = (await auth.token(created)).body.access_token
    expect(await form({ token }, basic(created.client_id, created.client_secret))).toMatchObject(revoked)
    const machine: PresentedCredential = {
      type: 'token',
      principal_type: 'service_principal',
      principal_id: created.client_id,
    }
    const resolution = await auth.resolve(machine)
    expect(resolution).not.toHaveProperty('identity.revoked_token_ids')
    expect(resolution).toHaveProperty('identity.tokens_valid_after', expect.any(Number))
    const { tokens_valid_after } = (resolution as { identity: { tokens_valid_after: number } }).identity // matched above
    expect(Number(decodeJwt(token).iat)).toBeLessThan(tokens_valid_after)
  })
})
